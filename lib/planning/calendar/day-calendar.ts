import { addDays, dayNumber, daysInMonth, lastDayOfMonth } from '#lib/core/date.ts';
import { easterSunday } from './easter.ts';

/**
 * Days that count for business. `weekdays`: Monday to Friday. `target`: without the closing days of TARGET, the euro's
 * settlement system (European Central Bank, since 2002). `nyse`: without the holidays of the New York Stock Exchange
 * (its Rule 7.2); closures of a single occasion are not in it.
 */
export const dayCalendars = ['weekdays', 'target', 'nyse'] as const;
export type DayCalendar = (typeof dayCalendars)[number];

/** Business days of a month, `YYYY-MM`. Example: `businessDays('target', '2024-05')` is 22, as May 1st is closed. */
export function businessDays(calendar: DayCalendar, month: string): number {
  const [year, of] = [Number(month.slice(0, 4)), Number(month.slice(5))];
  const closed = closedDays[calendar](year);
  let days = 0;
  for (let day = 1; day <= daysInMonth(year, of); day += 1) {
    const date = dateOf(year, of, day);
    if (isoWeekday(date) <= 5 && !closed.has(date)) days += 1;
  }
  return days;
}

const closedDays: Record<DayCalendar, (year: number) => ReadonlySet<string>> = {
  weekdays: () => new Set(),
  target: (year) => {
    const easter = dateOf(year, ...easterSunday(year));
    const fixed = ['01-01', '05-01', '12-25', '12-26'].map((day) => `${year}-${day}`);
    return new Set([...fixed, addDays(easter, -2), addDays(easter, 1)]);
  },
  nyse: nyseHolidays,
};

function nyseHolidays(year: number): ReadonlySet<string> {
  const easter = dateOf(year, ...easterSunday(year));
  const days = [
    nth(year, 2, 1, 3),
    addDays(easter, -2),
    lastMonday(year, 5),
    observed(dateOf(year, 7, 4)),
    nth(year, 9, 1, 1),
    nth(year, 11, 4, 4),
    observed(dateOf(year, 12, 25)),
  ];
  const newYear = dateOf(year, 1, 1);
  // On a Saturday it is not made up for, since December 31st closes the books of a year.
  if (isoWeekday(newYear) !== 6) days.push(observed(newYear));
  if (year >= 1998) days.push(nth(year, 1, 1, 3));
  if (year >= 2022) days.push(observed(dateOf(year, 6, 19)));
  return new Set(days);
}

/** Friday for a Saturday, Monday for a Sunday. */
function observed(date: string): string {
  const weekday = isoWeekday(date);
  return weekday === 6 ? addDays(date, -1) : weekday === 7 ? addDays(date, 1) : date;
}

/** The n-th such weekday of a month. */
function nth(year: number, month: number, weekday: number, n: number): string {
  const first = dateOf(year, month, 1);
  return addDays(first, ((weekday - isoWeekday(first) + 7) % 7) + 7 * (n - 1));
}

function lastMonday(year: number, month: number): string {
  const last = lastDayOfMonth(dateOf(year, month, 1).slice(0, 7));
  return addDays(last, 1 - isoWeekday(last));
}

/** Monday is 1, Sunday is 7. */
function isoWeekday(date: string): number {
  return ((((dayNumber(date) + 3) % 7) + 7) % 7) + 1;
}

function dateOf(year: number, month: number, day: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
}
