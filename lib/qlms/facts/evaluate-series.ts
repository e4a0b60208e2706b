import { exp } from '#lib/numerics/exponential.ts';
import { ln } from '#lib/numerics/natural-log.ts';
import { parseDecimal } from '#lib/numerics/decimal.ts';
import { refuse, type Refusal } from '../language/codes.ts';
import type { QueryPeriod, SemanticQuery } from '../language/query.ts';
import { wholeName } from '../language/whole-period.ts';
import { add, hundredfold, subtract } from './decimals.ts';
import type { FactDraft, Found } from './fact.ts';
import type { Observation, Readers } from './readers.ts';
import { aggregate, count, rank, trend, windowOf } from './evaluate-windows.ts';
import { COMPUTED, factOf, flagsOf, type Series } from './series-facts.ts';
import { yearsBetween } from './windows.ts';

/** Evaluates a query over one series, or over one period of two series. */
export async function evaluateSeries(query: SemanticQuery, readers: Readers): Promise<Found | Refusal> {
  const { op, of = [] } = query;
  if (op === 'compare' || query.by === 'entity') return sides(query, readers);
  const series = await seriesOf(query, query.measure!, of[0]?.key, readers);
  if ('outcome' in series) return series;
  if (op === 'value') return one(series, query.period!);
  if (op === 'change') return change(series);
  const window = windowOf(series, query.period!);
  if (window.held.length === 0) return refuse('missing_value');
  if (op === 'aggregate') return aggregate(series, window);
  if (op === 'trend') return trend(series, window);
  if (op === 'count') return count(series, window);
  if (op === 'rank') return rank(series, window);
  return refuse('not_understood');
}

async function seriesOf(
  query: SemanticQuery,
  key: string,
  subject: string | undefined,
  readers: Readers,
): Promise<Series | Refusal> {
  const measure = readers.measure(key);
  if (!measure) return refuse('unknown_metric');
  const all = await readers.series(key, subject, query.as_of);
  const held = query.unit === undefined ? all : all.filter(({ currency }) => currency === query.unit);
  if (held.length === 0) return refuse(query.as_of === undefined ? 'metric_not_held' : 'not_known_yet');
  return { query, held, unit: measure.unit, of: subject ?? null };
}

function at({ held }: Series, { at: name }: QueryPeriod): Observation | undefined {
  return name === 'latest' ? held.at(-1) : held.find(({ period }) => period === name);
}

function one(series: Series, period: QueryPeriod): Found | Refusal {
  const observation = at(series, period);
  if (!observation) return refuse('missing_value');
  return { facts: [factOf(series, observation, 'result')], flags: flagsOf(series.query, [observation]) };
}

/** One side of a change: its fact, and the observations that the fact uses. */
type Side = { observation: Observation; fact: FactDraft; used: readonly Observation[] };

/** Returns a side of a change: the value of a period, or the sum of a whole quarter or year of a flow. */
function sideOf(series: Series, period: QueryPeriod): Side | undefined {
  const whole = wholeName(period);
  if (whole === undefined) {
    const observation = at(series, period);
    return observation && { observation, fact: factOf(series, observation, 'input'), used: [observation] };
  }
  const { held, expected } = windowOf(series, period);
  const [first] = held;
  if (!first || held.length < expected) return undefined;
  const observation = {
    ...first,
    period: whole,
    value: held.map(({ value }) => value).reduce(add),
    source: COMPUTED,
  };
  const fact: FactDraft = {
    role: 'input',
    measure: series.query.measure!,
    unit: series.unit,
    of: series.of,
    period: whole,
    value: observation.value,
    currency: first.currency,
    source: COMPUTED,
    periods: held.length,
    formula: 'sum',
  };
  return { observation, fact, used: held };
}

function change(series: Series): Found | Refusal {
  const { query, unit, of } = series;
  const [one, other] = [sideOf(series, query.period!), sideOf(series, query.baseline!.period!)];
  if (!one || !other) return refuse('missing_value');
  const [end, base] = [one.observation, other.observation];
  const figure = changeOf(query, { end, base, unit });
  if ('outcome' in figure) return figure;
  const result: FactDraft = {
    role: 'result',
    measure: query.measure!,
    of,
    source: COMPUTED,
    inputs: ['f1', 'f2'],
    currency: end.currency,
    ...figure,
  };
  const shown = query.as === undefined ? result : { ...result, currency: null };
  return {
    facts: [one.fact, other.fact, shown],
    flags: flagsOf(query, [...one.used, ...other.used]),
  };
}

type Sides = { end: Observation; base: Observation; unit: string };
type Figure = Pick<FactDraft, 'unit'> & Partial<FactDraft>;

/**
 * Returns the figure of a change in the form that the query requests. Percentages need a base that is not 0 and has the
 * same sign as the end.
 */
export function changeOf({ as }: SemanticQuery, { end, base, unit }: Sides): Figure | Refusal {
  const difference = subtract(end.value, base.value);
  if (as === undefined) return { unit, value: difference, formula: 'end - base' };
  if (as === 'points') return { unit: 'percentage points', value: difference, formula: 'end - base' };
  if (as === 'basis_points')
    return { unit: 'basis points', value: scaled(difference), formula: '100 (end - base)' };
  const [a, b] = [parseDecimal(end.value), parseDecimal(base.value)];
  if (b === 0 || (as !== 'ratio' && a < 0 !== b < 0 && a !== 0)) return refuse('base_not_comparable');
  if (as === 'ratio') return { unit: 'times', number: a / b, formula: 'end / base' };
  if (as === 'percent')
    return { unit: 'percent', number: (a / b - 1) * 100, formula: '(end / base - 1) 100' };
  const years = yearsBetween(base.period, end.period);
  if (!(years > 0) || a / b <= 0) return refuse('base_not_comparable');
  return {
    unit: 'percent per year',
    number: (exp(ln(a / b) / years) - 1) * 100,
    formula: '((end / base)^(1 / years) - 1) 100',
  };
}

/** Multiplies a difference by 100, with at least two decimals. Used for basis points. */
function scaled(difference: string): string {
  return subtract(add(hundredfold(difference), '0.00'), '0.00');
}

async function sides(query: SemanticQuery, readers: Readers): Promise<Found | Refusal> {
  const { of = [], baseline } = query;
  const asked =
    baseline?.measure === undefined
      ? of.map(({ key }) => [query.measure!, key] as const)
      : ([
          [query.measure!, of[0]?.key],
          [baseline.measure, of[0]?.key],
        ] as const);
  const facts: FactDraft[] = [];
  const used: Observation[] = [];
  for (const [key, subject] of asked) {
    const series = await seriesOf(query, key, subject, readers);
    if ('outcome' in series) return series;
    const observation = at(series, query.period!);
    if (!observation) return refuse('missing_value');
    used.push(observation);
    facts.push({ ...factOf(series, observation, 'input'), measure: key });
  }
  const [end, base] = used;
  if (new Set(used.map(({ currency }) => currency)).size > 1) return refuse('currencies_mixed');
  const unit = facts[0]!.unit;
  const shared = {
    role: 'result' as const,
    measure: query.measure!,
    source: COMPUTED,
    inputs: facts.map((_, index) => `f${index + 1}`),
  };
  const flags = flagsOf(query, used);
  if (query.op === 'aggregate') {
    const total = used.map(({ value }) => value).reduce(add);
    return {
      facts: [
        ...facts,
        { ...shared, unit, value: total, currency: end!.currency, entities: used.length, formula: 'sum' },
      ],
      flags,
    };
  }
  const figure = changeOf(query, { end: end!, base: base!, unit });
  if ('outcome' in figure) return figure;
  return {
    facts: [...facts, { ...shared, ...figure, currency: query.as === undefined ? end!.currency : null }],
    flags,
  };
}
