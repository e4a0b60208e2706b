import { addMonths } from '#lib/core/date.ts';
import { workingDays } from '../engine/working-days.ts';
import { holidaysOf } from './holidays.ts';

/**
 * Business day calendars. `weekdays`: Monday to Friday. `target` and `nyse`: weekdays without the closing days of the
 * calendar of holidays with the same name. One-off closures are not included.
 */
export const dayCalendars = ['weekdays', 'target', 'nyse'] as const;
export type DayCalendar = (typeof dayCalendars)[number];

/**
 * Counts the business days of consecutive months, starting with `from` (`YYYY-MM`).
 * Example: `businessDays('target', '2024-05', 1)` is `[22]`, because May 1st is closed.
 */
export function businessDays(calendar: DayCalendar, from: string, months: number): number[] {
  if (calendar === 'weekdays') return workingDays(from, months);
  const years = [Number(from.slice(0, 4)), Number(addMonths(from, months - 1).slice(0, 4))] as const;
  const closed = new Set<string>();
  for (let year = years[0]; year <= years[1]; year += 1) {
    for (const { date } of holidaysOf(calendar, year)) closed.add(date);
  }
  return workingDays(from, months, closed);
}
