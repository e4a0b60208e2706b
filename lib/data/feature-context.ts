import { daysBetween } from '#lib/core/date.ts';

/**
 * The state of a set of features that should describe the same time. If several states apply, the most serious is
 * reported. The most serious state is first below and last in the array.
 *
 * - **missing**: a feature has no known value.
 * - **stale**: the last event of a feature is older than its maximum age in days.
 * - **unaligned**: the last event of a feature is further behind the newest event of all features than the
 *   tolerance.
 * - **synchronised**: no feature is missing, stale or unaligned.
 */
export const contextStates = ['synchronised', 'unaligned', 'stale', 'missing'] as const;
export type ContextState = (typeof contextStates)[number];

/** The last known event of a feature, for one entity or for all entities together. */
export type ContextCell = {
  feature: string;
  entity: string | null;
  /** The time of the event; null if nothing was known. */
  eventTime: string | null;
  ageDays: number | null;
  /** The maximum age of the event, in days. */
  budgetDays: number;
};

export type ContextConflict = {
  feature: string;
  entity: string | null;
  reason: Exclude<ContextState, 'synchronised'>;
  eventTime: string | null;
  ageDays: number | null;
  /** The limit in days that was exceeded; null if no value is known. */
  allowedDays: number | null;
  /** Days by which the event is older than the newest event of the set; null if no value is known. */
  behindDays: number | null;
};

export type Context = { state: ContextState; newestEvent: string | null; offending: ContextConflict[] };

/**
 * Judges a set of features on a day. Each conflicting feature is listed once per entity, with its most serious reason.
 * The state is the most serious reason of all features. The alignment of stale and missing features is not checked, but
 * the event of a stale feature can be the newest event. The state of an empty set is `missing`.
 */
export function judgeContext(cells: readonly ContextCell[], toleranceDays: number): Context {
  const newestEvent = cells
    .flatMap(({ eventTime }) => eventTime ?? [])
    .reduce<string | null>((newest, each) => (newest === null || each > newest ? each : newest), null);
  const offending = cells.flatMap((cell) => conflictOf(cell, newestEvent, toleranceDays) ?? []);
  const worst = Math.max(0, ...offending.map(({ reason }) => contextStates.indexOf(reason)));
  const state = cells.length === 0 ? 'missing' : contextStates[worst]!;
  return { state, newestEvent, offending };
}

function conflictOf(
  cell: ContextCell,
  newest: string | null,
  toleranceDays: number,
): ContextConflict | undefined {
  const { feature, entity, eventTime, ageDays, budgetDays } = cell;
  const place = { feature, entity, eventTime, ageDays };
  if (eventTime === null || ageDays === null) {
    return { ...place, reason: 'missing', allowedDays: null, behindDays: null };
  }
  const behindDays = daysBetween(eventTime.slice(0, 10), newest!.slice(0, 10));
  if (ageDays > budgetDays) return { ...place, reason: 'stale', allowedDays: budgetDays, behindDays };
  if (behindDays > toleranceDays) {
    return { ...place, reason: 'unaligned', allowedDays: toleranceDays, behindDays };
  }
  return undefined;
}
