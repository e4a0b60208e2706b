import { addDays, addMonths, dayNumber, lastDayOfMonth, monthOf } from '#lib/core/date.ts';

/** 1970-01-01, day number 0, was a Thursday; Sunday is 0. */
const EPOCH_WEEKDAY = 4;

/**
 * The last month end that prices up to `newest` fully cover: the end of its own month when `newest` is that month's
 * last weekday (Monday to Friday) or later, else the end of the month before. A month whose last weekday is a
 * holiday counts as covered once a price of the next month is there.
 *
 * @example lastCoveredMonthEnd('2020-10-28') // '2020-09-30'
 * @example lastCoveredMonthEnd('2020-10-30') // '2020-10-31', for 30 October 2020 is the month's last Friday
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
