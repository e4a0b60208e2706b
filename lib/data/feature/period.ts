import { dateOfDayNumber, dayNumber, lastDayOfMonth, monthIndex, monthOfIndex } from '#lib/core/date.ts';
import type { FeatureFrequency } from '#lib/data/feature/kind.ts';

/**
 * The periods of a frequency, numbered so that they can be counted. Weeks follow ISO 8601, from Monday to
 * Sunday. The event of a period is its last day.
 */
type Periods = { of(date: string): number; lastDay(period: number): string };

const inMonths = (months: number): Periods => ({
  of: (date) => Math.floor(monthIndex(date.slice(0, 7)) / months),
  lastDay: (period) => lastDayOfMonth(monthOfIndex(period * months + months - 1)),
});

const periods: Readonly<Record<FeatureFrequency, Periods>> = {
  daily: { of: dayNumber, lastDay: dateOfDayNumber },
  // 1970-01-01 was a Thursday, so week 0 is from day -3 to day 3.
  weekly: {
    of: (date) => Math.floor((dayNumber(date) + 3) / 7),
    lastDay: (period) => dateOfDayNumber(period * 7 + 3),
  },
  monthly: inMonths(1),
  quarterly: inMonths(3),
  yearly: inMonths(12),
};

/** Returns the number of the period that contains a date. Example: the monthly period of `2020-02-10` is 24241. */
export function periodOf(frequency: FeatureFrequency, date: string): number {
  return periods[frequency].of(date);
}

/** Returns the last date of a period. Example: the last date of the monthly period 24241 is `2020-02-29`. */
export function lastDayOfPeriod(frequency: FeatureFrequency, period: number): string {
  return periods[frequency].lastDay(period);
}

/** Returns the first date of a period. */
export function firstDayOfPeriod(frequency: FeatureFrequency, period: number): string {
  return dateOfDayNumber(dayNumber(lastDayOfPeriod(frequency, period - 1)) + 1);
}

const MICROSECONDS_A_DAY = 86_400_000_000;

/** Returns the time of the event of a period: the start of its last day, in microseconds since 1970. */
export function eventTimeOf(frequency: FeatureFrequency, period: number): number {
  return dayNumber(lastDayOfPeriod(frequency, period)) * MICROSECONDS_A_DAY;
}
