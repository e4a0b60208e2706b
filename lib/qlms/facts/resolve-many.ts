import { askBack, refuse } from '../language/codes.ts';
import type { QueryDraft } from '../language/draft.ts';
import { CONVERTED } from '../language/frames/common.ts';
import type { SemanticQuery, Subject } from '../language/query.ts';
import type { Clock, Observation, Readers } from './readers.ts';
import { knowledgeOf, resolvePeriod, type Timed } from './resolve-period.ts';
import { returnEnds, type Planned } from './resolve-series.ts';
import { isOutcome, resolveHeld, type Held, type Outcome } from './resolve-subject.ts';

/** Resolves a comparison or sum of two entities, or a comparison of two measures of one entity. */
export async function resolveCompare(
  draft: QueryDraft,
  readers: Readers,
  clock: Clock,
): Promise<Planned | Outcome> {
  const asOf = knowledgeOf(draft.asOf, clock.today);
  if (typeof asOf === 'object') return asOf;
  if (
    draft.measures?.[0] === 'return' ||
    draft.measures?.[0] === 'derived.inflation_yoy' ||
    draft.second?.[0] === 'derived.inflation_yoy'
  )
    return refuse('not_understood');
  const mentions = draft.mentions ?? [];
  const asked: QueryDraft[] = draft.second
    ? [draft, { ...draft, measures: draft.second, mentions: draft.mentions ?? [] }]
    : mentions.map((mention) => ({ ...draft, mentions: [mention] }));
  const { currency, ...plain } = draft;
  if (currency === CONVERTED) return refuse('currency_conversion');
  const sides: Held[] = [];
  for (const each of asked) {
    const isAlone = readers.measure(each.measures?.[0] ?? '')?.subject === 'none';
    const side = await resolveHeld(
      { ...plain, ...each, mentions: isAlone ? [] : (each.mentions ?? []) },
      readers,
      asOf,
    );
    if (isOutcome(side)) return side;
    sides.push(side);
  }
  const [first, second] = [sides[0]!, sides[1]!];
  if (first.measure.unit !== second.measure.unit) return refuse('unit_mismatch');
  if (currencyOf(first.held) !== currencyOf(second.held)) return refuse('currencies_mixed');
  const periods = [timedOf(first, clock, asOf), timedOf(second, clock, asOf)].map((timed) =>
    resolvePeriod(endOfLevel(draft, timed), timed),
  );
  for (const each of periods) if (isOutcome(each)) return each;
  const [one] = periods as Exclude<(typeof periods)[number], Outcome>[];
  if (one!.isSpan) return askBack('ambiguous_aggregation', ['mean', 'end of period', 'max', 'min']);
  const of: Subject[] = draft.second ? [...first.of] : [...first.of, ...second.of];
  const query: SemanticQuery = {
    op: draft.op,
    measure: first.measure.key,
    of,
    period: one!.period,
    ...(draft.second ? { baseline: { measure: second.measure.key } } : {}),
    ...(draft.agg ? { agg: draft.agg } : {}),
    ...(draft.as ? { as: draft.as } : {}),
    ...(draft.by ? { by: draft.by } : {}),
    ...(asOf === undefined ? {} : { as_of: asOf }),
  };
  return { query, assumptions: one!.assumptions, flags: one!.flags };
}

function endOfLevel(draft: QueryDraft, { measure }: Timed): QueryDraft['when'] {
  const isLevel = measure.subject === 'company' && measure.kind === 'level';
  return isLevel && draft.when?.kind === 'stretch' ? { ...draft.when, isEnd: true } : draft.when;
}

function timedOf(side: Held, clock: Clock, asOf: string | undefined): Timed {
  return { measure: side.measure, held: side.held, all: side.held, clock, isAsOf: asOf !== undefined };
}

function currencyOf(held: readonly Observation[]): string | null {
  return held[0]?.currency ?? null;
}

/** Resolves a ranking or an aggregate over instruments. The stored periods are those of the panel. */
export async function resolveMarket(
  draft: QueryDraft,
  readers: Readers,
  clock: Clock,
): Promise<Planned | Outcome> {
  const asOf = knowledgeOf(draft.asOf, clock.today);
  if (typeof asOf === 'object') return asOf;
  if (asOf !== undefined) return refuse('not_understood');
  const key = draft.measures![0]!;
  const isReturn = key === 'return';
  const measure = readers.measure(isReturn ? 'price.adj_close' : key);
  if (!measure || measure.subject !== 'instrument') return refuse('not_understood');
  const held = await readers.series(measure.key, undefined, undefined);
  if (held.length === 0) return refuse('metric_not_held');
  const timed: Timed = { measure, held, all: held, clock, isAsOf: false };
  const shared = {
    ...(draft.where ? { where: draft.where } : {}),
    ...(draft.order ? { order: draft.order } : {}),
    ...(draft.limit === undefined ? {} : { limit: draft.limit }),
    ...(draft.nth === undefined ? {} : { nth: draft.nth }),
  };
  if (isReturn) {
    const ends = returnEnds(draft, timed);
    if (isOutcome(ends)) return ends;
    const query: SemanticQuery = {
      op: 'rank',
      measure: measure.key,
      period: ends.period,
      baseline: { period: ends.base },
      as: 'percent',
      ...shared,
    };
    return { query, assumptions: [...ends.assumptions, 'return_of_adj_close'], flags: ends.flags };
  }
  const resolved = resolvePeriod(draft.when, timed);
  if (isOutcome(resolved)) return resolved;
  if (resolved.isSpan) return askBack('ambiguous_aggregation', ['mean', 'end of period', 'max', 'min']);
  const query: SemanticQuery = {
    op: draft.op,
    measure: measure.key,
    period: resolved.period,
    ...shared,
    ...(draft.agg ? { agg: draft.agg } : {}),
    ...(draft.by ? { by: draft.by } : {}),
  };
  return { query, assumptions: resolved.assumptions, flags: resolved.flags };
}
