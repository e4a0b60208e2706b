import {
  addDays,
  addMonths,
  dayNumber,
  lastDayOfMonth,
  monthIndex,
  monthOf,
  monthOfIndex,
} from '#lib/core/date.ts';
import type { PeriodFrequency } from './period.ts';

const months = { monthly: 1, quarterly: 3, yearly: 12 } as const;

/**
 * Returns the last day of the period that contains a day. Weeks follow ISO 8601 and end on a Sunday.
 * Example: `lastDayOfPeriod('quarterly', '2024-02-10')` is `'2024-03-31'`.
 */
export function lastDayOfPeriod(frequency: PeriodFrequency, day: string): string {
  if (frequency === 'daily') return day;
  // 1970-01-01 was a Thursday, so the day numbers of Sundays are 3 modulo 7.
  if (frequency === 'weekly') return addDays(day, (((3 - dayNumber(day)) % 7) + 7) % 7);
  const index = monthIndex(monthOf(day));
  return lastDayOfMonth(monthOfIndex(index - (index % months[frequency]) + months[frequency] - 1));
}

/**
 * Returns the last day of the period that is `count` periods later, or earlier if `count` is negative.
 * Example: `laterPeriod('monthly', '2024-01-31', 1)` is `'2024-02-29'`.
 */
export function laterPeriod(frequency: PeriodFrequency, lastDay: string, count: number): string {
  if (frequency === 'daily') return addDays(lastDay, count);
  if (frequency === 'weekly') return addDays(lastDay, 7 * count);
  return lastDayOfMonth(addMonths(monthOf(lastDay), months[frequency] * count));
}

/**
 * Returns the number of periods between two last days. Example: the number of quarters from 2023-12-31 to 2024-03-31 is
 * 1.
 */
export function periodsFrom(frequency: PeriodFrequency, from: string, to: string): number {
  if (frequency === 'daily') return dayNumber(to) - dayNumber(from);
  if (frequency === 'weekly') return (dayNumber(to) - dayNumber(from)) / 7;
  return (monthIndex(monthOf(to)) - monthIndex(monthOf(from))) / months[frequency];
}
