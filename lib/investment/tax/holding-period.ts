import { addDays, dateOfDayNumber, dayNumber } from '#lib/core/date.ts';

export type Term = 'short' | 'long';

/**
 * Returns the first date on which a sale is long-term: the day after the anniversary of the start of the holding
 * period. The anniversary of 29 February is 28 February in a common year.
 *
 * Source: 26 U.S.C. 1222; the holding period begins on the day after the acquisition (Rev. Rul. 66-7).
 * Example: `2024-02-29` gives `2025-03-01`.
 */
export function longFrom(holdingSince: string): string {
  const year = String(Number(holdingSince.slice(0, 4)) + 1).padStart(4, '0');
  const isLeapDay = holdingSince.endsWith('-02-29');
  // The year after a leap year is a common year, so it has no 29 February.
  return addDays(isLeapDay ? `${year}-02-28` : `${year}${holdingSince.slice(4)}`, 1);
}

/** Returns the term of a sale. Example: bought on 2023-03-15 and sold on 2024-03-15 is `short`. */
export function termOf(holdingSince: string, soldOn: string): Term {
  return soldOn >= longFrom(holdingSince) ? 'long' : 'short';
}

const longDays = new Map<number, number>();
const datesOfDays = new Map<number, string>();

/**
 * Returns the result of `longFrom` for day numbers. Results are cached by day, because a ledger uses the same
 * days very often.
 */
export function longFromDay(holdingDay: number): number {
  let day = longDays.get(holdingDay);
  if (day === undefined) {
    day = dayNumber(longFrom(dateOf(holdingDay)));
    longDays.set(holdingDay, day);
  }
  return day;
}

/** Returns the date of a day number. Results are cached by day; there are fewer than 4 million days. */
export function dateOf(day: number): string {
  let date = datesOfDays.get(day);
  if (date === undefined) {
    date = dateOfDayNumber(day);
    datesOfDays.set(day, date);
  }
  return date;
}
