import { askBack, refuse } from '../language/codes.ts';
import type { QueryDraft } from '../language/draft.ts';
import type { SemanticQuery } from '../language/query.ts';
import { baselines, checked, endsOf, type Ends } from './change-ends.ts';
import type { Clock, Readers } from './readers.ts';
import { knowledgeOf, resolvePeriod, type Resolved, type Timed } from './resolve-period.ts';
import { isOutcome, resolveHeld, type Held, type Outcome } from './resolve-subject.ts';
import { fitOf, shift, yearBefore } from './windows.ts';

export type Planned = { query: SemanticQuery; assumptions: string[]; flags: string[] };

const isRate = (held: Held): boolean =>
  held.measure.unit.startsWith('percent') || held.measure.unit === 'ratio';

/** Resolves a question about one series: a value, an aggregate, a change, a trend, or a ranking of its periods. */
export async function resolveSeries(
  draft: QueryDraft,
  readers: Readers,
  clock: Clock,
): Promise<Planned | Outcome> {
  const asOf = knowledgeOf(draft.asOf, clock.today);
  if (typeof asOf === 'object') return asOf;
  const special = draft.measures?.[0];
  const isInflation = special === 'derived.inflation_yoy';
  const isReturn = special === 'return';
  const measures = isInflation ? ['economics.CPIAUCNS'] : isReturn ? ['price.adj_close'] : draft.measures;
  const held = await resolveHeld({ ...draft, ...(measures ? { measures } : {}) }, readers, asOf);
  if (isOutcome(held)) return held;
  const all =
    asOf === undefined ? held.held : await readers.series(held.measure.key, held.subject, undefined);
  const timed: Timed = { measure: held.measure, held: held.held, all, clock, isAsOf: asOf !== undefined };
  const base: SemanticQuery = {
    op: draft.op,
    measure: held.measure.key,
    of: held.of,
    ...(asOf === undefined ? {} : { as_of: asOf }),
    ...(held.unit === undefined ? {} : { unit: held.unit }),
  };
  const context = { draft, held, timed, base };
  if (isInflation && draft.op !== 'explain') return inflation(context);
  if (isReturn && draft.op !== 'explain') return returns(context);
  if (draft.op === 'change') return change(context);
  if (draft.op === 'explain') return explain(context);
  const resolved = resolvePeriod(draft.when, timed);
  if (isOutcome(resolved)) return resolved;
  if (draft.op === 'aggregate') return aggregate(context, resolved);
  if (draft.op === 'value') return value(context, resolved);
  const query: SemanticQuery = { ...base, ...pick(draft), period: resolved.period };
  if (!resolved.isSpan && (draft.op === 'trend' || draft.by === 'period')) return refuse('not_understood');
  return { query, assumptions: resolved.assumptions, flags: resolved.flags };
}

type Context = { draft: QueryDraft; held: Held; timed: Timed; base: SemanticQuery };

function pick({ where, by, order, limit, nth, agg }: QueryDraft): Partial<SemanticQuery> {
  return {
    ...(where ? { where } : {}),
    ...(by ? { by } : {}),
    ...(order ? { order } : {}),
    ...(limit === undefined ? {} : { limit }),
    ...(nth === undefined ? {} : { nth }),
    ...(agg ? { agg } : {}),
  };
}

function value({ held, base, draft }: Context, resolved: Resolved): Planned | Outcome {
  const { kind, subject } = held.measure;
  const { period, assumptions, flags } = resolved;
  const told = [
    ...assumptions,
    ...(kind === 'price' && held.measure.key === 'price.close' ? ['price_is_close'] : []),
  ];
  if (!resolved.isSpan) return { query: { ...base, period }, assumptions: told, flags };
  if (kind === 'flow' && held.measure.key !== 'price.volume')
    return {
      query: { ...base, op: 'aggregate', period, agg: 'sum' },
      assumptions: [...told, 'flow_adds_up'],
      flags,
    };
  const isStretch = draft.when?.kind === 'stretch';
  if (subject === 'company' && isStretch && period.to !== undefined)
    return {
      query: { ...base, period: { at: period.to } },
      assumptions: [...told, 'level_at_period_end'],
      flags,
    };
  return askBack('ambiguous_aggregation', ['mean', 'end of period', 'max', 'min']);
}

function aggregate({ held, base, draft, timed }: Context, resolved: Resolved): Planned | Outcome {
  const { kind } = held.measure;
  const agg = draft.agg!;
  const { assumptions, flags } = resolved;
  if (draft.where) return refuse('not_understood');
  if (agg === 'sum' && kind !== 'flow') {
    // "The total headcount in September" is the level of one period; levels of several periods do not add up.
    if (resolved.isSpan || kind !== 'level') return refuse('aggregation_not_meaningful');
    return { query: { ...base, op: 'value', period: resolved.period }, assumptions, flags };
  }
  if (resolved.isSpan) return { query: { ...base, period: resolved.period, agg }, assumptions, flags };
  if (draft.when === undefined && (agg === 'mean' || agg === 'median'))
    return askBack('ambiguous_aggregation', ['over a month', 'over a year', 'over the whole history']);
  if (draft.when === undefined && agg !== 'sum') {
    const whole = resolvePeriod({ kind: 'whole' }, timed);
    if (isOutcome(whole)) return whole;
    return {
      query: { ...base, period: whole.period, agg },
      assumptions: [...assumptions, ...whole.assumptions],
      flags,
    };
  }
  const at = resolved.period.at === 'latest' ? undefined : resolved.period.at;
  if (agg === 'sum') return { query: { ...base, op: 'value', period: resolved.period }, assumptions, flags };
  if (at === undefined)
    return askBack('ambiguous_aggregation', ['over a month', 'over a year', 'over the whole history']);
  return { query: { ...base, period: { from: at, to: at }, agg }, assumptions, flags };
}

function change({ draft, held, base, timed }: Context): Planned | Outcome {
  const as = draft.as;
  if (as === 'ratio') return refuse('not_understood');
  if (as === 'percent' && isRate(held) && draft.isPercentChosen !== true)
    return askBack('ambiguous_unit', ['percent', 'percentage points']);
  if ((as === 'points' || as === 'basis_points') && !held.measure.unit.startsWith('percent'))
    return refuse('unit_mismatch');
  const ends = endsOf(draft, timed, held);
  if (isOutcome(ends)) return ends;
  const query: SemanticQuery = {
    ...base,
    op: 'change',
    period: ends.period,
    baseline: { period: ends.base },
    ...(as ? { as } : {}),
  };
  return { query, assumptions: ends.assumptions, flags: ends.flags };
}

function inflation({ draft, base, timed }: Context): Planned | Outcome {
  if (draft.op !== 'value') return refuse('not_understood');
  const resolved = resolvePeriod(draft.when, timed);
  if (isOutcome(resolved)) return resolved;
  if (resolved.isSpan) return askBack('ambiguous_aggregation', ['mean', 'end of period', 'max', 'min']);
  const at = resolved.period.at === 'latest' ? timed.held.at(-1)!.period : resolved.period.at!;
  const ends = checked({
    at,
    from: yearBefore(at),
    timed,
    assumptions: [...resolved.assumptions, 'inflation_year_over_year'],
    flags: resolved.flags,
  });
  if (isOutcome(ends)) return ends;
  const query: SemanticQuery = {
    ...base,
    op: 'change',
    period: ends.period,
    baseline: { period: ends.base },
    as: 'percent',
  };
  return { query, assumptions: ends.assumptions, flags: ends.flags };
}

function returns({ draft, base, timed }: Context): Planned | Outcome {
  if (draft.op !== 'value' && draft.op !== 'change') return refuse('not_understood');
  const ends = returnEnds(draft, timed);
  if (isOutcome(ends)) return ends;
  const query: SemanticQuery = {
    ...base,
    op: 'change',
    period: ends.period,
    baseline: { period: ends.base },
    as: 'percent',
  };
  return { query, assumptions: [...ends.assumptions, 'return_of_adj_close'], flags: ends.flags };
}

/** Resolves the period of a return: a window, or a stretch compared with the end of the previous stretch. */
export function returnEnds(draft: QueryDraft, timed: Timed): Ends | Outcome {
  const when = draft.when;
  if (draft.base) return refuse('not_understood');
  if (when === undefined || when.kind === 'latest' || when.kind === 'now') {
    const last = timed.held.at(-1)!.period;
    return when?.kind === 'now'
      ? refuse('stale', { nearest: [last] })
      : askBack('ambiguous_baseline', baselines(last));
  }
  if (
    when.kind === 'range' &&
    when.to &&
    fitOf(when.from, timed.measure.native) === 'same' &&
    fitOf(when.to, timed.measure.native) === 'same'
  ) {
    const resolved = resolvePeriod(when, timed);
    if (isOutcome(resolved)) return resolved;
    return checked({
      at: resolved.period.to!,
      from: resolved.period.from!,
      timed,
      assumptions: resolved.assumptions,
      flags: [],
    });
  }
  const isEdged = when.kind === 'stretch' && (when.isEnd === true || when.isStart === true);
  const resolved = resolvePeriod(
    isEdged ? { kind: 'stretch', from: when.from, to: when.to, grain: when.grain } : when,
    timed,
  );
  if (isOutcome(resolved)) return resolved;
  const { at, from, to, last } = resolved.period;
  const newest = timed.held.at(-1)!.period;
  if (last !== undefined)
    return checked({ at: newest, from: shift(newest, -last), timed, assumptions: [], flags: resolved.flags });
  return checked({
    at: at ?? to ?? newest,
    from: shift(at ?? from!, -1),
    timed,
    assumptions: resolved.assumptions,
    flags: resolved.flags,
  });
}

function explain({ draft, base, timed }: Context): Planned | Outcome {
  const isDated = draft.when !== undefined && draft.when.kind !== 'whole' && draft.when.kind !== 'latest';
  if (draft.what === 'revisions' && !isDated)
    return askBack(
      'ambiguous_date',
      timed.held.slice(-8).map(({ period }) => period),
    );
  if (!isDated) return { query: { ...base, what: draft.what! }, assumptions: [], flags: [] };
  const resolved = resolvePeriod(draft.when, timed);
  if (isOutcome(resolved)) return resolved;
  if (resolved.isSpan) return refuse('not_understood');
  return {
    query: { ...base, period: resolved.period, what: draft.what! },
    assumptions: resolved.assumptions,
    flags: [],
  };
}
