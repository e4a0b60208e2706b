import { addDays, dayNumber } from '#lib/core/date.ts';
import { periodName, readPeriod, type PeriodFrequency } from '#lib/data/period.ts';
import { lastDayOfPeriod, laterPeriod } from '#lib/data/period-steps.ts';
import type { NativePeriod } from '../language/catalogue.ts';
import type { Stretch } from '../language/calendar.ts';

const DAYS: Readonly<Record<NativePeriod, number>> = { daily: 1, monthly: 31, quarterly: 92, yearly: 366 };
const GRAIN_DAYS: Readonly<Record<Stretch['grain'], number>> = {
  day: 1,
  week: 7,
  month: 31,
  quarter: 92,
  half: 184,
  year: 366,
  decade: 3660,
  span: 3660,
};

/** Compares the length of a named stretch of days with the native period of a measure. */
export function fitOf(stretch: Stretch, native: NativePeriod): 'finer' | 'same' | 'longer' {
  if (stretch.isAround === true) return 'same';
  const difference = GRAIN_DAYS[stretch.grain] - DAYS[native];
  return difference < 0 ? 'finer' : difference === 0 ? 'same' : 'longer';
}

/** Returns the name of the native period that contains a day. */
export function nameAt(native: PeriodFrequency, day: string): string {
  return periodName({ frequency: native, lastDay: lastDayOfPeriod(native, day) });
}

/** Returns the name of a period `count` periods later. */
export function shift(name: string, count: number): string {
  const period = readPeriod(name)!;
  return periodName({ ...period, lastDay: laterPeriod(period.frequency, period.lastDay, count) });
}

/** Returns the last day of a named period. */
export function endOf(name: string): string {
  return readPeriod(name)!.lastDay;
}

/** Returns the same period one year before. */
export function yearBefore(name: string): string {
  const { frequency } = readPeriod(name)!;
  return shift(
    name,
    frequency === 'monthly' ? -12 : frequency === 'quarterly' ? -4 : frequency === 'yearly' ? -1 : -365,
  );
}

/** Returns the years between the ends of two periods: months divided by 12. */
export function yearsBetween(from: string, to: string): number {
  const [a, b] = [endOf(from), endOf(to)];
  return (
    (12 * (Number(b.slice(0, 4)) - Number(a.slice(0, 4))) + Number(b.slice(5, 7)) - Number(a.slice(5, 7))) /
    12
  );
}

/** Whether a period ended more than a number of days ago. */
export function isOlder(name: string, days: number, today: string): boolean {
  return dayNumber(today) - dayNumber(endOf(name)) > days;
}

/** Returns the names of the native periods of a window, at most `most` of them. */
export function periodsOf(from: string, to: string, most = 20_000): string[] {
  const names: string[] = [];
  for (let name = from; endOf(name) <= endOf(to) && names.length < most; name = shift(name, 1))
    names.push(name);
  return names;
}

/** Returns the day before a day. */
export function dayBefore(day: string): string {
  return addDays(day, -1);
}
