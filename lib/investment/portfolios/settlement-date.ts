import { addDays, dayNumber } from '#lib/core/date.ts';

/**
 * Returns the second weekday after a date. Holidays are not considered. Example: 2020-09-30 gives 2020-10-02.
 */
export function secondWeekdayAfter(date: string): string {
  let day = date;
  for (let left = 2; left > 0;) {
    day = addDays(day, 1);
    const weekday = (dayNumber(day) + 4) % 7; // 0 is Sunday, because day number 0 was a Thursday.
    if (weekday !== 0 && weekday !== 6) left -= 1;
  }
  return day;
}
