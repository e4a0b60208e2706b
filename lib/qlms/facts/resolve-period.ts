import { guessed, type Stretch, type When } from '../language/calendar.ts';
import type { Measure } from '../language/catalogue.ts';
import { askBack, refuse } from '../language/codes.ts';
import type { QueryPeriod } from '../language/query.ts';
import type { Clock, Observation } from './readers.ts';
import type { Outcome } from './resolve-subject.ts';
import { endOf, fitOf, isOlder, nameAt, shift } from './windows.ts';

/** The stored periods of a series, and the clock of the question. */
export type Timed = {
  measure: Measure;
  held: readonly Observation[];
  all: readonly Observation[];
  clock: Clock;
  isAsOf: boolean;
};

export type Resolved = { period: QueryPeriod; assumptions: string[]; flags: string[]; isSpan: boolean };

/**
 * Resolves the period of a question to names of native periods. A stretch longer than a native period is a window
 * (`isSpan`), unless the question means the end of the stretch. Refuses periods that are not stored.
 */
export function resolvePeriod(when: When | undefined, timed: Timed): Resolved | Outcome {
  const { measure, held, clock } = timed;
  if (timed.all.length === 0) return refuse('metric_not_held');
  if (when?.kind === 'ambiguous') return askBack('ambiguous_date', when.days);
  if (when?.kind === 'future') return refuse('no_sealed_forecast');
  if (held.length === 0) return refuse('not_known_yet');
  const [first, last] = [held[0]!.period, held.at(-1)!.period];
  if (when === undefined || when.kind === 'latest' || when.kind === 'now') {
    const isStale = !timed.isAsOf && isOlder(last, clock.staleAfterDays[measure.native]!, clock.today);
    if (when?.kind === 'now' && isStale) return refuse('stale', { nearest: [last] });
    const flags = [
      ...(isStale ? ['stale'] : []),
      ...(isRunning(last, measure, held) ? ['period_incomplete'] : []),
    ];
    return { period: { at: 'latest' }, assumptions: [], flags, isSpan: false };
  }
  if (when.kind === 'whole')
    return { period: { from: first, to: last }, assumptions: ['whole_history'], flags: [], isSpan: true };
  if (when.kind === 'last') return lastOf(when, timed);
  if (when.kind === 'range') return rangeOf(when, timed);
  return stretched(when, timed);
}

/** Whether the newest value belongs to a period that had not ended when the value was recorded. */
function isRunning(last: string, measure: Measure, held: readonly Observation[]): boolean {
  return measure.kind === 'price' && (held.at(-1)!.source.pointer ?? endOf(last)) < endOf(last);
}

const MONTHS: Readonly<Record<string, number>> = { month: 1, quarter: 3, half: 6, year: 12 };

function lastOf(when: When & { kind: 'last' }, { measure, held, clock, isAsOf }: Timed): Resolved | Outcome {
  const native = measure.native === 'quarterly' ? 3 : measure.native === 'yearly' ? 12 : 1;
  const months = MONTHS[when.grain];
  if (months === undefined || measure.native === 'daily') return refuse('period_finer_than_series');
  const count = (when.count * months) / native;
  if (!Number.isInteger(count) || count < 1) return refuse('period_finer_than_series');
  if (count > held.length) return refuse('not_in_coverage', { nearest: [held[0]!.period] });
  const isStale = !isAsOf && isOlder(held.at(-1)!.period, clock.staleAfterDays[measure.native]!, clock.today);
  return { period: { last: count }, assumptions: [], flags: isStale ? ['stale'] : [], isSpan: true };
}

function rangeOf(when: When & { kind: 'range' }, timed: Timed): Resolved | Outcome {
  const { measure } = timed;
  if (fitOf(when.from, measure.native) === 'finer') return refuse('period_finer_than_series');
  const from = nameAt(measure.native, when.from.isEnd === true ? when.from.to : when.from.from);
  if (!when.to) {
    const out = outside(from, from, timed);
    return out ?? { period: { from }, assumptions: guessed(when.from), flags: [], isSpan: true };
  }
  if (fitOf(when.to, measure.native) === 'finer') return refuse('period_finer_than_series');
  if (when.to.to < when.from.from) return refuse('not_understood');
  return assuming(guessed(when.from, when.to), windowOf(from, nameAt(measure.native, when.to.to), timed));
}

function assuming(assumptions: readonly string[], resolved: Resolved | Outcome): Resolved | Outcome {
  if ('outcome' in resolved) return resolved;
  return { ...resolved, assumptions: [...assumptions, ...resolved.assumptions] };
}

/** Shortens a window that reaches into the future. Refuses a window that is otherwise not within the stored periods. */
function windowOf(from: string, to: string, timed: Timed): Resolved | Outcome {
  const last = timed.held.at(-1)!.period;
  const isFuture = endOf(to) > timed.clock.today;
  const end = isFuture && endOf(last) < endOf(to) ? last : to;
  if (endOf(end) < endOf(from)) return refuse('not_in_coverage', { nearest: [last] });
  const out = outside(from, end, timed);
  if (out) return out;
  return {
    period: { from, to: end },
    assumptions: end === to ? [] : ['period_to_date'],
    flags: [],
    isSpan: true,
  };
}

/** Refuses a window that is not within the stored periods. */
function outside(from: string, to: string, { held, all, isAsOf }: Timed): Outcome | undefined {
  const [first, last] = [held[0]!.period, held.at(-1)!.period];
  if (endOf(from) < endOf(first)) return refuse('not_in_coverage', { nearest: [first] });
  if (endOf(to) <= endOf(last)) return undefined;
  const isLater = isAsOf && all.some(({ period }) => period === to);
  return isLater
    ? refuse('not_known_yet', { nearest: [last] })
    : refuse('not_in_coverage', { nearest: [last] });
}

function stretched(when: When & { kind: 'stretch' }, timed: Timed): Resolved | Outcome {
  const { measure, held, all, clock } = timed;
  const fit = fitOf(when, measure.native);
  if (fit === 'finer') return refuse('period_finer_than_series');
  const assumptions = guessed(when);
  if (fit === 'longer' && when.isEnd !== true && when.isStart !== true) {
    const from = nameAt(measure.native, when.from);
    return assuming(assumptions, windowOf(from, nameAt(measure.native, when.to), timed));
  }
  if (when.isStart === true) return refuse('not_understood');
  const name = nameAt(measure.native, when.to);
  const out = outside(name, name, timed);
  if (out) return out;
  if (!held.some(({ period }) => period === name)) {
    if (timed.isAsOf && all.some(({ period }) => period === name)) return refuse('not_known_yet');
    return refuse('missing_value', { nearest: neighbours(name, held) });
  }
  void clock;
  return {
    period: { at: name },
    assumptions,
    flags: isRunningAt(name, timed) ? ['period_incomplete'] : [],
    isSpan: false,
  };
}

function isRunningAt(name: string, { measure, held }: Timed): boolean {
  return name === held.at(-1)!.period && isRunning(name, measure, held);
}

function neighbours(name: string, held: readonly Observation[]): string[] {
  const periods = new Set(held.map(({ period }) => period));
  return [shift(name, -1), shift(name, 1)].filter((each) => periods.has(each));
}

/** Returns the as-of day that a question names. In "as known in March", this is the last day of March. */
export function knowledgeOf(when: When | undefined, today: string): string | undefined | Outcome {
  if (when === undefined) return undefined;
  if (when.kind === 'ambiguous') return askBack('ambiguous_date', when.days);
  if (when.kind !== 'stretch') return refuse('not_understood');
  return when.to > today ? refuse('not_understood') : when.to;
}

/** Returns the native period in which a stretch ends. */
export function endName(stretch: Stretch, measure: Measure): string {
  return nameAt(measure.native, stretch.to);
}
