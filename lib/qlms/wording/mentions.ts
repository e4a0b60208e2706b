import type { SemanticQuery } from '../language/query.ts';
import { dayWords, periodWords } from './period-words.ts';

/** The kind of a mention: a name or a property of a fact, or a period or day of the query. */
export const mentioned = [
  'measure',
  'subject',
  'period',
  'unit',
  'known_at',
  'periods',
  'entities',
  'rises',
  'falls',
  'from',
  'to',
  'at',
  'last',
  'as_of',
  'run_as_of',
  'level',
  'metric',
] as const;
export type Mentioned = (typeof mentioned)[number];

/**
 * The position in a text of something that is not the displayed value of a fact, in UTF-16 units. `fact` is null if it
 * is part of the query.
 */
export type Mention = { from: number; to: number; what: Mentioned; fact: string | null };

/** The names of measures and subjects that a text uses, by their keys. */
export type Names = {
  measures: Readonly<Record<string, string>>;
  subjects: Readonly<Record<string, string>>;
};

export const noNames: Names = { measures: {}, subjects: {} };

/** The members of a fact that a mention can show, as they are in an answer of the engine or of the API. */
export type MentionedFact = {
  id: string;
  measure: string;
  of: string | null | readonly string[];
  period: string | null;
  unit: string;
  known_at: string | null;
  periods?: number;
  entities?: number;
  rises?: number;
  falls?: number;
};

export type MentionContext = {
  query: Pick<SemanticQuery, 'period' | 'as_of' | 'run' | 'where'> | null;
  names: Names;
};

/** Returns the only text that a mention may show; undefined if the fact or the query does not have this member. */
export function mentionText(
  what: Mentioned,
  fact: MentionedFact | undefined,
  { query, names }: MentionContext,
): string | undefined {
  switch (what) {
    case 'measure':
      return fact && measureName(fact.measure, names);
    case 'subject':
      return fact && subjectName(fact, names);
    case 'period':
      return fact?.period == null ? undefined : periodWords(fact.period);
    case 'unit':
      return fact?.unit;
    case 'known_at':
      return fact?.known_at == null ? undefined : dayWords(fact.known_at.slice(0, 10));
    case 'periods':
    case 'entities':
    case 'rises':
    case 'falls':
      return fact?.[what] === undefined ? undefined : String(fact[what]);
    default:
      return what === 'metric' ? metricName(query, names) : ofQuery(what, query);
  }
}

/** The name of the measure that a forecast is about. */
function metricName(query: MentionContext['query'], names: Names): string | undefined {
  const metric = query?.where?.find(({ field }) => field === 'metric')?.value;
  return typeof metric === 'string' ? measureName(metric, names) : undefined;
}

type OfQuery = Extract<Mentioned, 'from' | 'to' | 'at' | 'last' | 'as_of' | 'run_as_of' | 'level'>;

function ofQuery(what: OfQuery, query: MentionContext['query']): string | undefined {
  const { period, as_of: asOf, run, where = [] } = query ?? {};
  const words = (name: string | undefined, read: (name: string) => string): string | undefined =>
    name === undefined || name === 'latest' ? undefined : read(name);
  if (what === 'as_of') return words(asOf, dayWords);
  if (what === 'run_as_of') return words(run?.as_of_date, dayWords);
  if (what === 'last') return period?.last === undefined ? undefined : String(period.last);
  if (what === 'level') {
    const level = where.find(({ field }) => field === 'level')?.value;
    return typeof level === 'number' ? String(level) : undefined;
  }
  return words(period?.[what], periodWords);
}

/** The names of figures whose keys are not words of English. */
const FIGURES: Readonly<Record<string, string>> = {
  'obligation.outstanding': 'outstanding amount of the obligations',
  'obligation.original': 'original amount of the obligations',
  'obligation.due_date': 'due date of the obligations',
  'delegation.per_action': 'limit of the delegations for each action',
  'delegation.per_day': 'limit of the delegations for each day',
  'delegation.per_month': 'limit of the delegations for each month',
  'delegation.valid_until': 'last day of the delegations',
  'exception.amount': 'amount of the exceptions',
  'exception.opened_at': 'opening day of the exceptions',
  'workflow_run.started': 'first day of the workflow runs',
  'workflow_run.ended': 'last day of the workflow runs',
  'transaction.amount': 'amount of the transactions',
  'transaction.booked_at': 'booking day of the transactions',
  'portfolio.value': 'portfolio value',
  'portfolio.cash': 'portfolio cash',
  'portfolio.holdings': 'number of portfolio holdings',
  'instrument.sub_industry': 'sub-industry',
  'factor.annualized_mean': 'annualised return',
  'factor.annualized_volatility': 'annualised volatility',
  'factor.newey_west_t': 'Newey-West t statistic',
  'factor.max_drawdown': 'maximum drawdown',
  'factor.sharpe': 'Sharpe ratio',
  'factor_run.symbols': 'number of symbols',
};

/** Returns the name of a measure: its title, or its key in words. */
export function measureName(key: string, { measures }: Names): string {
  return measures[key] ?? FIGURES[key] ?? (key.split('.').at(-1) ?? key).replaceAll('_', ' ');
}

function subjectName({ of }: Pick<MentionedFact, 'of'>, { subjects }: Names): string | undefined {
  const key = Array.isArray(of) ? of[0] : of;
  return typeof key === 'string' ? (subjects[key] ?? key) : undefined;
}
