import { addDays, addMonths, dayNumber, lastDayOfMonth } from '#lib/core/date.ts';
import { workingDays } from '../engine/working-days.ts';
import { easterSunday } from './easter.ts';

/**
 * Business day calendars. `weekdays`: Monday to Friday. `target`: weekdays without the closing days of TARGET, the
 * euro's settlement system (European Central Bank, since 2002). `nyse`: weekdays without the holidays of the New York
 * Stock Exchange (its Rule 7.2). One-off closures are not included.
 */
export const dayCalendars = ['weekdays', 'target', 'nyse'] as const;
export type DayCalendar = (typeof dayCalendars)[number];

/**
 * Counts the business days of consecutive months, starting with `from` (`YYYY-MM`).
 * Example: `businessDays('target', '2024-05', 1)` is `[22]`, because May 1st is closed.
 */
export function businessDays(calendar: DayCalendar, from: string, months: number): number[] {
  const years = [Number(from.slice(0, 4)), Number(addMonths(from, months - 1).slice(0, 4))] as const;
  const closed = new Set<string>();
  for (let year = years[0]; year <= years[1]; year += 1) {
    for (const day of closedDays[calendar](year)) closed.add(day);
  }
  return workingDays(from, months, closed);
}

const closedDays: Record<DayCalendar, (year: number) => string[]> = {
  weekdays: () => [],
  target: (year) => {
    const easter = dateOf(year, ...easterSunday(year));
    const fixed = ['01-01', '05-01', '12-25', '12-26'].map(
      (day) => `${dateOf(year, 1, 1).slice(0, 4)}-${day}`,
    );
    return [...fixed, addDays(easter, -2), addDays(easter, 1)];
  },
  nyse: nyseHolidays,
};

function nyseHolidays(year: number): string[] {
  const newYear = dateOf(year, 1, 1);
  return [
    // New Year's Day on a Saturday has no substitute, because December 31st is the end of the accounting
    // year.
    ...(isoWeekday(newYear) === 6 ? [] : [observed(newYear)]),
    ...(year >= 1998 ? [nth(year, 1, 1, 3)] : []),
    nth(year, 2, 1, 3),
    addDays(dateOf(year, ...easterSunday(year)), -2),
    lastMonday(year, 5),
    ...(year >= 2022 ? [observed(dateOf(year, 6, 19))] : []),
    observed(dateOf(year, 7, 4)),
    nth(year, 9, 1, 1),
    nth(year, 11, 4, 4),
    observed(dateOf(year, 12, 25)),
  ];
}

/**
 * Returns the day on which a holiday is observed: the Friday before if the holiday is on a Saturday, and the Monday
 * after if the holiday is on a Sunday.
 */
function observed(date: string): string {
  const weekday = isoWeekday(date);
  return weekday === 6 ? addDays(date, -1) : weekday === 7 ? addDays(date, 1) : date;
}

/** Returns the date of the n-th given weekday of a month. */
function nth(year: number, month: number, weekday: number, n: number): string {
  const first = dateOf(year, month, 1);
  return addDays(first, ((weekday - isoWeekday(first) + 7) % 7) + 7 * (n - 1));
}

function lastMonday(year: number, month: number): string {
  const last = lastDayOfMonth(dateOf(year, month, 1).slice(0, 7));
  return addDays(last, 1 - isoWeekday(last));
}

/** Returns the weekday of a date: Monday is 1, Sunday is 7. */
function isoWeekday(date: string): number {
  return ((((dayNumber(date) + 3) % 7) + 7) % 7) + 1;
}

function dateOf(year: number, month: number, day: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
}
