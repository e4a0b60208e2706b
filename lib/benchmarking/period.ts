import { instantOf, utcDate } from '#lib/core/clock.ts';
import { monthIndex, monthOf, monthOfIndex } from '#lib/core/date.ts';

/**
 * The hours after the end of a month in which late records are still counted. After these hours, the cells of the month
 * are published.
 */
const SETTLING_HOURS = 48;
/** The number of past months whose cells are still published after the scheduler was stopped. */
const MONTHS_BACK = 3;

/** The pattern of a month. */
export const PERIOD_PATTERN = '^(19|20)[0-9]{2}-(0[1-9]|1[0-2])$';

/** Returns the instants between which a month lies, in UTC. The end is exclusive. */
export function boundsOf(period: string): { from: Date; to: Date } {
  const startOf = (month: string) => instantOf(`${month}-01T00:00:00Z`);
  return { from: startOf(period), to: startOf(monthOfIndex(monthIndex(period) + 1)) };
}

/** Whether a month has ended. */
export function hasEnded(period: string, now: Date): boolean {
  return boundsOf(period).to <= now;
}

/** Returns the newest months that ended at least 48 hours ago, oldest first. */
export function closedPeriods(now: Date): string[] {
  const settled = instantOf(now.getTime() - SETTLING_HOURS * 3_600_000);
  const open = monthIndex(monthOf(utcDate(settled)));
  return Array.from({ length: MONTHS_BACK }, (_, at) => monthOfIndex(open - MONTHS_BACK + at));
}
