import { addDays } from '#lib/core/date.ts';
import {
  afterEaster,
  dateOf,
  isoWeekday,
  isWeekend,
  lastMonday,
  nthWeekday,
  observedInUs,
} from './dates-of-year.ts';

/**
 * Calendars of public holidays by ISO 3166-1 country code, and calendars of closing days. All dates are computed from
 * rules. Holidays that were proclaimed or moved for a single year are not included, and neither are regional holidays.
 *
 * - `US`: federal holidays, with the days on which they are observed (5 U.S.C. 6103, Executive Order 11582).
 * - `GB`: bank holidays of England and Wales, with their substitute days (Banking and Financial Dealings Act 1971).
 * - `DE`: holidays of all federal states (laws of the states; Unification Treaty, article 2).
 * - `FR`: public holidays (Code du travail, article L3133-1).
 * - `target`: closing days of TARGET, the euro's settlement system (European Central Bank, since 2002).
 * - `nyse`: holidays of the New York Stock Exchange (its Rule 7.2).
 */
export const holidayCalendars = ['US', 'GB', 'DE', 'FR', 'target', 'nyse'] as const;
export type HolidayCalendar = (typeof holidayCalendars)[number];

export type Holiday = { name: string; date: string };

const MONDAY = 1;
const THURSDAY = 4;

/**
 * Returns the holidays of a year. A holiday that is observed on another day is listed with both dates, except in
 * `target` and `nyse`, which list closing days only. The day on which New Year's Day is observed can be in the year
 * before.
 */
export function holidaysOf(calendar: HolidayCalendar, year: number): Holiday[] {
  return rules[calendar](year).flatMap(({ name, dates, since = 0 }) =>
    year < since ? [] : [...new Set(dates)].map((date) => ({ name, date })),
  );
}

/** A holiday of one year. `since` is the first year of the holiday. */
type Rule = { name: string; dates: string[]; since?: number };

const rules: Record<HolidayCalendar, (year: number) => Rule[]> = {
  US: (year) => {
    const both = (month: number, day: number) => {
      const date = dateOf(year, month, day);
      return [date, observedInUs(date)];
    };
    return [
      { name: 'new_year', dates: both(1, 1) },
      { name: 'martin_luther_king_day', dates: [nthWeekday(year, 1, MONDAY, 3)], since: 1986 },
      { name: 'washingtons_birthday', dates: [nthWeekday(year, 2, MONDAY, 3)] },
      { name: 'memorial_day', dates: [lastMonday(year, 5)] },
      { name: 'juneteenth', dates: both(6, 19), since: 2021 },
      { name: 'independence_day', dates: both(7, 4) },
      { name: 'labor_day', dates: [nthWeekday(year, 9, MONDAY, 1)] },
      { name: 'columbus_day', dates: [nthWeekday(year, 10, MONDAY, 2)] },
      { name: 'veterans_day', dates: both(11, 11) },
      { name: 'thanksgiving', dates: [nthWeekday(year, 11, THURSDAY, 4)] },
      { name: 'christmas_day', dates: both(12, 25) },
    ];
  },
  GB: (year) => [
    { name: 'new_year', dates: withSubstitute(dateOf(year, 1, 1)), since: 1974 },
    { name: 'good_friday', dates: [afterEaster(year, -2)] },
    { name: 'easter_monday', dates: [afterEaster(year, 1)] },
    { name: 'early_may', dates: [nthWeekday(year, 5, MONDAY, 1)], since: 1978 },
    { name: 'spring_bank_holiday', dates: [lastMonday(year, 5)] },
    { name: 'summer_bank_holiday', dates: [lastMonday(year, 8)] },
    { name: 'christmas_day', dates: withSubstitute(dateOf(year, 12, 25)) },
    { name: 'boxing_day', dates: withSubstitute(dateOf(year, 12, 26)) },
  ],
  DE: (year) => [
    { name: 'new_year', dates: [dateOf(year, 1, 1)] },
    { name: 'good_friday', dates: [afterEaster(year, -2)] },
    { name: 'easter_monday', dates: [afterEaster(year, 1)] },
    { name: 'labour_day', dates: [dateOf(year, 5, 1)] },
    { name: 'ascension', dates: [afterEaster(year, 39)] },
    { name: 'whit_monday', dates: [afterEaster(year, 50)] },
    { name: 'german_unity_day', dates: [dateOf(year, 10, 3)], since: 1990 },
    { name: 'christmas_day', dates: [dateOf(year, 12, 25)] },
    { name: 'boxing_day', dates: [dateOf(year, 12, 26)] },
  ],
  FR: (year) => [
    { name: 'new_year', dates: [dateOf(year, 1, 1)] },
    { name: 'easter_monday', dates: [afterEaster(year, 1)] },
    { name: 'labour_day', dates: [dateOf(year, 5, 1)] },
    { name: 'victory_day', dates: [dateOf(year, 5, 8)], since: 1982 },
    { name: 'ascension', dates: [afterEaster(year, 39)] },
    { name: 'whit_monday', dates: [afterEaster(year, 50)] },
    { name: 'bastille_day', dates: [dateOf(year, 7, 14)] },
    { name: 'assumption', dates: [dateOf(year, 8, 15)] },
    { name: 'all_saints', dates: [dateOf(year, 11, 1)] },
    { name: 'armistice_day', dates: [dateOf(year, 11, 11)] },
    { name: 'christmas_day', dates: [dateOf(year, 12, 25)] },
  ],
  target: (year) => [
    { name: 'new_year', dates: [dateOf(year, 1, 1)] },
    { name: 'good_friday', dates: [afterEaster(year, -2)] },
    { name: 'easter_monday', dates: [afterEaster(year, 1)] },
    { name: 'labour_day', dates: [dateOf(year, 5, 1)] },
    { name: 'christmas_day', dates: [dateOf(year, 12, 25)] },
    { name: 'boxing_day', dates: [dateOf(year, 12, 26)] },
  ],
  nyse: (year) => {
    const newYear = dateOf(year, 1, 1);
    // New Year's Day on a Saturday has no substitute, because December 31st is the end of the accounting year.
    const isOnSaturday = isoWeekday(newYear) === 6;
    return [
      { name: 'new_year', dates: isOnSaturday ? [] : [observedInUs(newYear)] },
      { name: 'martin_luther_king_day', dates: [nthWeekday(year, 1, MONDAY, 3)], since: 1998 },
      { name: 'washingtons_birthday', dates: [nthWeekday(year, 2, MONDAY, 3)] },
      { name: 'good_friday', dates: [afterEaster(year, -2)] },
      { name: 'memorial_day', dates: [lastMonday(year, 5)] },
      { name: 'juneteenth', dates: [observedInUs(dateOf(year, 6, 19))], since: 2022 },
      { name: 'independence_day', dates: [observedInUs(dateOf(year, 7, 4))] },
      { name: 'labor_day', dates: [nthWeekday(year, 9, MONDAY, 1)] },
      { name: 'thanksgiving', dates: [nthWeekday(year, 11, THURSDAY, 4)] },
      { name: 'christmas_day', dates: [observedInUs(dateOf(year, 12, 25))] },
    ];
  },
};

/**
 * Returns a date and, if it is on a weekend, its substitute in England and Wales: the next weekday that is not another
 * holiday. Christmas Day and Boxing Day are next to each other, so each is moved by two days.
 */
function withSubstitute(date: string): string[] {
  if (!isWeekend(date)) return [date];
  const isChristmas = date.slice(5, 7) === '12';
  return [date, addDays(date, isChristmas || isoWeekday(date) === 6 ? 2 : 1)];
}
