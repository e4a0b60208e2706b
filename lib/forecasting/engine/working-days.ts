import { dateOfDayNumber, dayNumber, firstDayOfMonth, addMonths } from '#lib/core/date.ts';

const SATURDAY = 6;
const SUNDAY = 0;

/**
 * Counts the working days of consecutive months, starting with the month `from` (YYYY-MM). Working days are the days
 * from Monday to Friday that are not holidays. Throws a `RangeError` if `from` is not a month. Example: without
 * holidays, 2020-02 has 20 working days and 2020-03 has 22.
 */
export function workingDays(
  from: string,
  months: number,
  holidays: ReadonlySet<string> = new Set(),
): number[] {
  return Array.from({ length: months }, (_, index) => {
    const first = dayNumber(firstDayOfMonth(addMonths(from, index)));
    const next = dayNumber(firstDayOfMonth(addMonths(from, index + 1)));
    let days = 0;
    for (let day = first; day < next; day += 1) {
      const weekday = weekdayOf(day);
      if (weekday !== SATURDAY && weekday !== SUNDAY && !holidays.has(dateOfDayNumber(day))) days += 1;
    }
    return days;
  });
}

/** Returns the weekday of a day number; 0 is Sunday. 1970-01-01 was a Thursday. */
function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7;
}
