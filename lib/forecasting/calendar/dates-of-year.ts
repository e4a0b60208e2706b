import { addDays, dayNumber, lastDayOfMonth } from '#lib/core/date.ts';
import { easterSunday } from './easter.ts';

const FRIDAY = 5;
const SATURDAY = 6;
const SUNDAY = 7;

/** Returns a date as `YYYY-MM-DD`. */
export function dateOf(year: number, month: number, day: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
}

/** Returns the weekday of a date: Monday is 1, Sunday is 7. */
export function isoWeekday(date: string): number {
  return ((((dayNumber(date) + 3) % 7) + 7) % 7) + 1;
}

/** Whether a date is a Saturday or a Sunday. */
export function isWeekend(date: string): boolean {
  return isoWeekday(date) > FRIDAY;
}

/** Returns the date some days after Easter Sunday; a negative number of days is before Easter Sunday. */
export function afterEaster(year: number, days: number): string {
  return addDays(dateOf(year, ...easterSunday(year)), days);
}

/** Returns the date of the n-th given weekday of a month. */
export function nthWeekday(year: number, month: number, weekday: number, n: number): string {
  const first = dateOf(year, month, 1);
  return addDays(first, ((weekday - isoWeekday(first) + 7) % 7) + 7 * (n - 1));
}

/** Returns the date of the last Monday of a month. */
export function lastMonday(year: number, month: number): string {
  const last = lastDayOfMonth(dateOf(year, month, 1).slice(0, 7));
  return addDays(last, 1 - isoWeekday(last));
}

/**
 * Returns the day on which a holiday is observed in the United States: the Friday before if the holiday is on a
 * Saturday, and the Monday after if the holiday is on a Sunday.
 */
export function observedInUs(date: string): string {
  const weekday = isoWeekday(date);
  return weekday === SATURDAY ? addDays(date, -1) : weekday === SUNDAY ? addDays(date, 1) : date;
}
