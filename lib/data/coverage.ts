import { addDays, addMonths, dayNumber, lastDayOfMonth, monthOf } from '#lib/core/date.ts';

/** The weekday of 1970-01-01, day number 0, counted from 0 for Sunday: a Thursday. */
const EPOCH_WEEKDAY = 4;

/**
 * Returns the last month end that prices up to `newest` fully cover. If `newest` is the last weekday (Monday to Friday)
 * of its month or later, returns the end of that month, otherwise the end of the previous month. A month whose last
 * weekday is a holiday counts as covered once there is a price of the next month.
 *
 * @example lastCoveredMonthEnd('2020-10-28') // '2020-09-30'
 * @example lastCoveredMonthEnd('2020-10-30') // '2020-10-31': 30 October 2020 is the last Friday of its month
 */
export function lastCoveredMonthEnd(newest: string): string {
  const month = monthOf(newest);
  return newest >= lastWeekday(month) ? lastDayOfMonth(month) : lastDayOfMonth(addMonths(month, -1));
}

function lastWeekday(month: string): string {
  const last = lastDayOfMonth(month);
  const weekday = (((dayNumber(last) + EPOCH_WEEKDAY) % 7) + 7) % 7;
  return addDays(last, weekday === 6 ? -1 : weekday === 0 ? -2 : 0);
}
