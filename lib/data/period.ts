import { addDays, dayNumber, daysInMonth, isDate } from '#lib/core/date.ts';

export const periodFrequencies = ['daily', 'weekly', 'monthly', 'quarterly', 'yearly'] as const;
export type PeriodFrequency = (typeof periodFrequencies)[number];

export type Period = { frequency: PeriodFrequency; lastDay: string };

/**
 * Reads the name of a calendar period. Its form determines the length: `2024`, `2024-Q1`, `2024-03`, `2024-W05` (an ISO
 * 8601 week, which ends on a Sunday) or a date. Returns undefined for other texts, such as `2024-Q5`, or the 53rd week
 * of a year with 52 weeks.
 *
 * Example: `readPeriod('2024-Q1')` is `{ frequency: 'quarterly', lastDay: '2024-03-31' }`.
 */
export function readPeriod(text: string): Period | undefined {
  const [, year, , quarter, month, week, day] =
    /^((?!0000)\d{4})(-(?:Q([1-4])|(0[1-9]|1[0-2])|W(0[1-9]|[1-4]\d|5[0-3])|(\d{2}-\d{2})))?$/.exec(text) ??
    [];
  if (year === undefined) return undefined;
  if (day !== undefined) return isDate(text) ? { frequency: 'daily', lastDay: text } : undefined;
  if (week !== undefined) return readWeek(year, Number(week));
  if (month !== undefined) return { frequency: 'monthly', lastDay: lastDay(year, month) };
  if (quarter === undefined) return { frequency: 'yearly', lastDay: `${year}-12-31` };
  const last = String(3 * Number(quarter)).padStart(2, '0');
  return { frequency: 'quarterly', lastDay: lastDay(year, last) };
}

/** Returns the name of a period. The inverse of `readPeriod`. */
export function periodName({ frequency, lastDay }: Period): string {
  const [year, month] = [lastDay.slice(0, 4), lastDay.slice(5, 7)];
  if (frequency === 'daily') return lastDay;
  if (frequency === 'monthly') return `${year}-${month}`;
  if (frequency === 'quarterly') return `${year}-Q${Number(month) / 3}`;
  if (frequency === 'yearly') return year;
  // A week belongs to the year of its Thursday.
  const ofYear = addDays(lastDay, -3).slice(0, 4);
  const week = (dayNumber(lastDay) - dayNumber(firstSunday(ofYear))) / 7 + 1;
  return `${ofYear}-W${String(week).padStart(2, '0')}`;
}

function readWeek(year: string, week: number): Period | undefined {
  const lastDay = addDays(firstSunday(year), 7 * (week - 1));
  return addDays(lastDay, -3).startsWith(year) ? { frequency: 'weekly', lastDay } : undefined;
}

/** Returns the end of the first ISO week, which contains January 4th. */
function firstSunday(year: string): string {
  const fourth = `${year}-01-04`;
  // 1970-01-01 was a Thursday, so the day numbers of Sundays are 3 modulo 7.
  return addDays(fourth, (((3 - dayNumber(fourth)) % 7) + 7) % 7);
}

function lastDay(year: string, month: string): string {
  return `${year}-${month}-${daysInMonth(Number(year), Number(month))}`;
}
