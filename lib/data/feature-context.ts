import { daysBetween } from '#lib/core/date.ts';

/**
 * Whether a set of features tells of one time. In order of precedence:
 *
 * - **missing**: something was never observed of a feature.
 * - **stale**: the last event of a feature is older than its budget of days.
 * - **unaligned**: the last event of a feature is further behind the newest of all than is tolerated.
 * - **synchronised**: none of these.
 */
export const contextStates = ['synchronised', 'unaligned', 'stale', 'missing'] as const;
export type ContextState = (typeof contextStates)[number];

/** The last that was known of a feature, of one entity or of any. */
export type ContextCell = {
  feature: string;
  entity: string | null;
  /** Null: nothing was known. */
  eventTime: string | null;
  ageDays: number | null;
  /** How many days old the event may be. */
  budgetDays: number;
};

export type ContextConflict = {
  feature: string;
  entity: string | null;
  reason: Exclude<ContextState, 'synchronised'>;
  eventTime: string | null;
  ageDays: number | null;
  /** What the age, or the distance to the newest event, was held to; null where nothing is known. */
  allowedDays: number | null;
  /** Days behind the newest event of the set. */
  behindDays: number | null;
};

export type Context = { state: ContextState; newestEvent: string | null; offending: ContextConflict[] };

/**
 * Judges a set of features at a day. Every feature that offends is told, once for each entity, by its gravest reason;
 * the state is the gravest of all. A feature that is stale or missing is not asked for its alignment, and one that is
 * stale still counts as the newest event if it is. Of no features at all the context is `missing`.
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
