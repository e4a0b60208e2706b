/**
 * Calendar dates without time or zone. A **date** is `YYYY-MM-DD` and a **month** is `YYYY-MM`, both in the proleptic
 * Gregorian calendar, years 0000 to 9999. The order of the texts is the order of the dates. A **month index** is 12 *
 * year + (month - 1), a **day number** is the number of days since 1970-01-01, and a **date number** is the integer
 * YYYYMMDD.
 */

/** Whether the text is an existing date. Example: `isDate('2020-02-30')` is `false`. */
export function isDate(text: string): boolean {
  return parseDateNumber(text) >= 0;
}

/**
 * Converts a date to the integer YYYYMMDD, which has the order of the dates. Throws a `RangeError` if the
 * text is not a date. Example: `dateNumber('2020-09-30')` is 20200930.
 */
export function dateNumber(date: string): number {
  const number = parseDateNumber(date);
  if (number < 0) throw new RangeError(`not a date (YYYY-MM-DD): ${JSON.stringify(date)}`);
  return number;
}

/**
 * Returns the number of days in a month (1 to 12). Example: `daysInMonth(2020, 2)` is 29. Throws a `RangeError` for
 * another month.
 */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  if (month === 4 || month === 6 || month === 9 || month === 11) return 30;
  if (month >= 1 && month <= 12) return 31;
  throw new RangeError(`not a month of a year: ${month}`);
}

/**
 * Returns the month of a date. Example: `monthOf('2020-09-30')` is `'2020-09'`. Throws a `RangeError` if the text is
 * not a date.
 */
export function monthOf(date: string): string {
  dateNumber(date);
  return date.slice(0, 7);
}

/**
 * Returns the index of a month, for counting months. Throws a `RangeError` if the text is not a month. Example:
 * `monthIndex('2020-09')` is 24248.
 */
export function monthIndex(month: string): number {
  const number = month.length === 7 ? parseDateNumber(`${month}-01`) : -1;
  if (number < 0) throw new RangeError(`not a month (YYYY-MM): ${JSON.stringify(month)}`);
  return Math.floor(number / 10_000) * 12 + (Math.floor(number / 100) % 100) - 1;
}

/** Returns the month of an index, the inverse of `monthIndex`. Throws a `RangeError` outside the years 0000 to 9999. */
export function monthOfIndex(index: number): string {
  if (!Number.isInteger(index) || index < 0 || index >= 120_000) {
    throw new RangeError(`not a month index: ${index}`);
  }
  return `${padded(Math.floor(index / 12), 4)}-${padded((index % 12) + 1, 2)}`;
}

/**
 * Returns the month `count` months later, or earlier if `count` is negative. Example: `addMonths('2020-01', -1)` is
 * `'2019-12'`.
 */
export function addMonths(month: string, count: number): string {
  return monthOfIndex(monthIndex(month) + count);
}

/** Returns the first date of a month. Example: `firstDayOfMonth('2020-02')` is `'2020-02-01'`. */
export function firstDayOfMonth(month: string): string {
  monthIndex(month);
  return `${month}-01`;
}

/** Returns the last date of a month. Example: `lastDayOfMonth('2020-02')` is `'2020-02-29'`. */
export function lastDayOfMonth(month: string): string {
  const index = monthIndex(month);
  return `${month}-${daysInMonth(Math.floor(index / 12), (index % 12) + 1)}`;
}

/**
 * Returns the last calendar month whose last day is on or before the date.
 * Examples: `lastCompletedMonth('2020-10-28')` and `lastCompletedMonth('2020-09-30')` are both `'2020-09'`.
 */
export function lastCompletedMonth(asOf: string): string {
  const month = monthOf(asOf);
  return lastDayOfMonth(month) === asOf ? month : addMonths(month, -1);
}

/**
 * Returns the days since 1970-01-01; negative for earlier dates. Source: Howard Hinnant, "chrono-Compatible Low-Level
 * Date Algorithms", `days_from_civil`. Example: `dayNumber('2000-03-01')` is 11017.
 */
export function dayNumber(date: string): number {
  const number = dateNumber(date);
  const month = Math.floor(number / 100) % 100;
  const year = Math.floor(number / 10_000) - (month <= 2 ? 1 : 0);
  const era = Math.floor(year / 400);
  const yearOfEra = year - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + (number % 100) - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/**
 * Returns the date of a day number, the inverse of `dayNumber`. Source: Howard Hinnant, "chrono-Compatible Low-Level
 * Date Algorithms", `civil_from_days`. Throws a `RangeError` outside the years 0000 to 9999.
 */
export function dateOfDayNumber(day: number): string {
  if (!Number.isInteger(day) || day < -719_528 || day > 2_932_896) {
    throw new RangeError(`not a day number: ${day}`);
  }
  const shifted = day + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const leapDays =
    Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const dayOfMonth = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(dayOfMonth, 2)}`;
}

/**
 * Returns the date `count` days later, or earlier if `count` is negative. Example: `addDays('2020-02-28', 2)` is
 * `'2020-03-01'`.
 */
export function addDays(date: string, count: number): string {
  return dateOfDayNumber(dayNumber(date) + count);
}

/** The earliest date that Assay stores: PostgreSQL has no year 0. */
export const FIRST_DATE = '0001-01-01';

/**
 * Returns the date `count` days earlier, but never a date before `FIRST_DATE`, so that a look-back may have any length.
 * Example: `daysBefore('0001-01-05', 10)` is `'0001-01-01'`.
 */
export function daysBefore(date: string, count: number): string {
  return dateOfDayNumber(Math.max(dayNumber(date) - count, dayNumber(FIRST_DATE)));
}

/**
 * Returns the month `count` months earlier, but never a month before that of `FIRST_DATE`. Example:
 * `monthsBefore('0001-03', 9)` is `'0001-01'`.
 */
export function monthsBefore(month: string, count: number): string {
  return monthOfIndex(Math.max(monthIndex(month) - count, monthIndex(monthOf(FIRST_DATE))));
}

/**
 * Returns the number of days from one date to another; negative if `to` is earlier. Example: from 2018-05-15 to
 * 2018-05-31 there are 16 days.
 */
export function daysBetween(from: string, to: string): number {
  return dayNumber(to) - dayNumber(from);
}

/**
 * Parses a date into YYYYMMDD. Returns -1 if the text is not a date. Reads char codes for speed, because a run of the
 * factor model reads a million dates.
 */
function parseDateNumber(text: string): number {
  if (text.length !== 10 || text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45) return -1;
  let number = 0;
  for (let position = 0; position < 10; position += 1) {
    if (position === 4 || position === 7) continue;
    const digit = text.charCodeAt(position) - 48;
    if (!(digit >= 0 && digit <= 9)) return -1;
    number = number * 10 + digit;
  }
  const day = number % 100;
  const month = Math.floor(number / 100) % 100;
  if (month < 1 || month > 12 || day < 1) return -1;
  return day <= 28 || day <= daysInMonth(Math.floor(number / 10_000), month) ? number : -1;
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function padded(value: number, width: number): string {
  return String(value).padStart(width, '0');
}

/** Converts an ISO 8601 instant with a time zone to milliseconds since 1970; NaN if the text is not an instant. */
export function instantMs(text: string): number {
  return Date.parse(text);
}

/** Returns the instant at a number of milliseconds since 1970. */
export function instantAt(ms: number): Date {
  return new Date(ms);
}
