import { daysBack, guessed, type Stretch } from '../language/calendar.ts';
import { askBack, refuse } from '../language/codes.ts';
import type { QueryDraft } from '../language/draft.ts';
import { CONVERTED } from '../language/frames/common.ts';
import type { QueryPeriod, SemanticQuery, Subject } from '../language/query.ts';
import type { Clock, Readers } from './readers.ts';
import { knowledgeOf } from './resolve-period.ts';
import type { Planned } from './resolve-series.ts';
import type { Outcome } from './resolve-subject.ts';
import { nameAt, shift } from './windows.ts';

/** Resolves a question about the ledger: a balance at the end of a day, or the flows of whole months. */
export async function resolveLedger(
  draft: QueryDraft,
  readers: Readers,
  clock: Clock,
): Promise<Planned | Outcome> {
  const asOf = knowledgeOf(draft.asOf, clock.today);
  if (typeof asOf === 'object') return asOf;
  const measure = draft.measures!.find((key) => key.startsWith('ledger.'))!;
  const subjects = await subjectsOf(draft, readers);
  if ('outcome' in subjects) return subjects;
  const { of } = subjects;
  const isBy = !of.some(({ type }) => type === 'currency');
  const base: SemanticQuery = {
    op: 'value',
    measure,
    of,
    ...(isBy ? { by: 'currency' as const } : {}),
    ...(asOf === undefined ? {} : { as_of: asOf }),
  };
  const assumptions = isBy ? ['by_currency'] : [];
  // A booking is known on its own day, so an as-of day is allowed only for a balance without a period.
  if (
    asOf !== undefined &&
    (measure !== 'ledger.balance' || (draft.when !== undefined && draft.when.kind !== 'latest'))
  )
    return refuse('not_understood');
  if (measure === 'ledger.balance') return balance(draft, { base, assumptions, clock });
  if (draft.op !== 'value' && !(draft.op === 'aggregate' && draft.agg === 'sum'))
    return refuse('not_understood');
  return flows(draft, { base, assumptions, clock });
}

async function subjectsOf(draft: QueryDraft, readers: Readers): Promise<{ of: Subject[] } | Outcome> {
  const accounts = await readers.entities('account');
  const held = [...new Set(accounts.map(({ attributes }) => attributes.currency!))].sort();
  if (draft.currency === CONVERTED) return refuse('currency_conversion', { nearest: held });
  if (draft.currency !== undefined && !held.includes(draft.currency))
    return refuse('unknown_currency', { nearest: held });
  const [mention] = draft.mentions ?? [];
  if (mention && mention.length > 1)
    return askBack(
      'ambiguous_entity',
      mention.map(({ key }) => key),
    );
  const account = mention && accounts.find(({ key }) => key === mention[0]!.key);
  const currency = draft.currency ?? account?.attributes.currency;
  if (account && currency !== account.attributes.currency)
    return refuse('currency_conversion', { nearest: [account.attributes.currency!] });
  const of: Subject[] = [];
  if (account) of.push({ type: 'account', key: account.key });
  if (currency !== undefined) of.push({ type: 'currency', key: currency });
  return { of };
}

type With = { base: SemanticQuery; assumptions: string[]; clock: Clock };

function balance(
  { op, when, agg, where }: QueryDraft,
  { base, assumptions, clock }: With,
): Planned | Outcome {
  if (op === 'aggregate' && agg === 'sum')
    return { query: { ...base, period: { at: 'latest' } }, assumptions, flags: [] };
  if (op !== 'value' || where) return refuse('not_understood');
  if (when === undefined || when.kind === 'latest' || when.kind === 'now')
    return { query: { ...base, period: { at: 'latest' } }, assumptions, flags: [] };
  if (when.kind === 'ambiguous') return askBack('ambiguous_date', when.days);
  if (when.kind === 'future') return refuse('no_sealed_forecast');
  if (when.kind !== 'stretch' || when.isStart === true)
    return askBack('ambiguous_aggregation', ['mean', 'end of period', 'max', 'min']);
  if (when.to > clock.today)
    return when.from > clock.today
      ? refuse('not_in_coverage', { nearest: [clock.today] })
      : {
          query: { ...base, period: { at: 'latest' } },
          assumptions: [...assumptions, 'period_to_date'],
          flags: [],
        };
  const isEnd = when.isEnd === true || when.grain === 'day';
  const told = [...assumptions, ...guessed(when), ...(isEnd ? [] : ['level_at_period_end'])];
  return { query: { ...base, period: { at: when.to } }, assumptions: told, flags: [] };
}

function flows({ when }: QueryDraft, { base, assumptions, clock }: With): Planned | Outcome {
  const window = windowOf(when, clock.today);
  if ('outcome' in window) return window;
  const query: SemanticQuery = { ...base, op: 'aggregate', period: window.period, agg: 'sum' };
  return { query, assumptions: [...assumptions, ...window.assumptions], flags: [] };
}

function windowOf(
  when: QueryDraft['when'],
  today: string,
): { period: QueryPeriod; assumptions: string[] } | Outcome {
  const month = nameAt('monthly', today);
  if (when === undefined || when.kind === 'latest' || when.kind === 'now')
    return askBack('ambiguous_date', [shift(month, -1), month]);
  if (when.kind === 'ambiguous') return askBack('ambiguous_date', when.days);
  if (when.kind === 'future') return refuse('no_sealed_forecast');
  if (when.kind === 'last') {
    const months = when.count * ({ month: 1, quarter: 3, year: 12 }[when.grain as 'month'] ?? 0);
    if (months < 1) return { period: daysBack(today, when), assumptions: ['days_from_today'] };
    return { period: { from: shift(month, -months), to: shift(month, -1) }, assumptions: [] };
  }
  if (when.kind === 'whole') return refuse('not_understood');
  const [first, last] = when.kind === 'range' ? [when.from, when.to] : [when, when];
  if (when.kind === 'stretch' && (when.isEnd === true || when.isStart === true))
    return refuse('not_understood');
  if (first.from > today) return refuse('not_in_coverage', { nearest: [month] });
  // The flows of a window that begins at an end, or ends at a start, would count a period that is not meant.
  if (when.kind === 'range' && (first.isEnd === true || last?.isStart === true))
    return refuse('not_understood');
  const isByDay = isOfDays(first) || (last !== undefined && isOfDays(last));
  const named = (day: string): string => (isByDay ? day : nameAt('monthly', day));
  const isOpen = last === undefined || last.to > today;
  const assumptions = [...guessed(first, last), ...(isOpen ? ['period_to_date'] : [])];
  const from = named(first.from);
  return last === undefined
    ? { period: { from }, assumptions }
    : { period: { from, to: named(isOpen ? today : last.to) }, assumptions };
}

function isOfDays({ grain }: Stretch): boolean {
  return grain === 'day' || grain === 'week';
}
