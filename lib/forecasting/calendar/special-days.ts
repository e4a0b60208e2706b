import { addDays, dateOfDayNumber, dayNumber } from '#lib/core/date.ts';
import type { SpecialDay } from '../engine/holiday-effects.ts';
import { isWeekend } from './dates-of-year.ts';
import { holidaysOf, type HolidayCalendar } from './holidays.ts';

/**
 * Returns the kind of each of `count` days from `first` on (`YYYY-MM-DD`); null for an ordinary day. A special day is a
 * holiday of one of the calendars, the day before a holiday, or the day after a holiday. If a day is on several
 * calendars, the first calendar names the holiday. A day that is both before and after a holiday counts as the day
 * after.
 */
export function specialDays(
  calendars: readonly HolidayCalendar[],
  first: string,
  count: number,
): (SpecialDay | null)[] {
  const start = dayNumber(first);
  const dates = Array.from({ length: count }, (_, at) => dateOfDayNumber(start + at));
  const names = holidayNames(calendars, first, dateOfDayNumber(start + count));
  return dates.map((date) => {
    const name = names.get(date);
    if (name) return { group: isWeekend(date) ? 'holiday_on_weekend' : 'holiday', name };
    const [yesterday, tomorrow] = [names.get(addDays(date, -1)), names.get(addDays(date, 1))];
    if (yesterday) return { group: 'day_after', name: yesterday };
    return tomorrow ? { group: 'day_before', name: tomorrow } : null;
  });
}

/** Returns the name of the holiday on each date from the day before `from` to the day after `to`, and some others. */
function holidayNames(
  calendars: readonly HolidayCalendar[],
  from: string,
  to: string,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const years = [Number(from.slice(0, 4)) - 1, Number(to.slice(0, 4)) + 1] as const;
  for (const calendar of calendars) {
    for (let year = Math.max(1, years[0]); year <= Math.min(9999, years[1]); year += 1) {
      for (const { name, date } of holidaysOf(calendar, year)) if (!names.has(date)) names.set(date, name);
    }
  }
  return names;
}
