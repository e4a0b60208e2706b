import { addDays, dayNumber, isDate } from '#lib/core/date.ts';

/**
 * The days without settlement: weekdays (ISO 8601, Monday is 1) and dates. Days before `from` and after `to`
 * are not covered.
 */
export type SettlementCalendar = {
  key: string;
  weekend: readonly number[];
  holidays: readonly string[];
  from: string;
  to: string;
};

/**
 * The calendar that is used if a workspace has no active calendar. Saturdays and Sundays are not business
 * days.
 */
export const weekendsOnly: SettlementCalendar = {
  key: 'weekends',
  weekend: [6, 7],
  holidays: [],
  from: '1900-01-01',
  to: '2200-12-31',
};

export function isBusinessDay(calendar: SettlementCalendar, date: string): boolean {
  return !calendar.weekend.includes(weekday(date)) && !calendar.holidays.includes(date);
}

/** Whether the calendar covers a day. */
export function isCovered(calendar: SettlementCalendar, date: string): boolean {
  return isDate(date) && date >= calendar.from && date <= calendar.to;
}

/** Returns the number of business days after `from` up to and including `to`; 0 if `to` is not later. */
export function businessDaysBetween(calendar: SettlementCalendar, from: string, to: string): number {
  if (to <= from) return 0;
  const days = dayNumber(to) - dayNumber(from);
  const start = weekday(from);
  const free = new Set(calendar.weekend);
  let count = Math.floor(days / 7) * (7 - free.size);
  for (let day = 1; day <= days % 7; day += 1) {
    if (!free.has(((start - 1 + day) % 7) + 1)) count += 1;
  }
  const holidays = [...new Set(calendar.holidays)];
  return count - holidays.filter((day) => day > from && day <= to && !free.has(weekday(day))).length;
}

/**
 * Returns the first business day after a date. Throws a `RangeError` if none of the following 366 days is a
 * business day.
 */
export function nextBusinessDay(calendar: SettlementCalendar, date: string): string {
  for (let day = 1; day <= 366; day += 1) {
    const next = addDays(date, day);
    if (isBusinessDay(calendar, next)) return next;
  }
  throw new RangeError(`the calendar ${calendar.key} has no business day after ${date}`);
}

/** Returns the weekday of a date (ISO 8601, Monday is 1). Day number 0, 1970-01-01, was a Thursday. */
function weekday(date: string): number {
  return ((((dayNumber(date) + 3) % 7) + 7) % 7) + 1;
}
