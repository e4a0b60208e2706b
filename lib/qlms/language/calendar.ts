import {
  addDays,
  addMonths,
  dayNumber,
  daysInMonth,
  firstDayOfMonth,
  lastDayOfMonth,
  monthOf,
} from '#lib/core/date.ts';

export type Grain = 'day' | 'week' | 'month' | 'quarter' | 'half' | 'year' | 'decade' | 'span';

/**
 * A range of consecutive days that a question names. `isEnd`: the end of the stretch is meant. `isGuessed`: the
 * question states no year, and the most recent past year is used. `isAround`: the period of the measure that contains the
 * day is meant, as in "this time last year".
 */
export type Stretch = {
  from: string;
  to: string;
  grain: Grain;
  isEnd?: boolean;
  isGuessed?: boolean;
  isStart?: boolean;
  isAround?: boolean;
};

/**
 * The time that a question names. `ahead`: the days from the question on, as in "the next 30 days".
 */
export type When =
  | ({ kind: 'stretch' } & Stretch)
  | { kind: 'range'; from: Stretch; to: Stretch | undefined; isChange: boolean }
  | { kind: 'latest' }
  | { kind: 'now' }
  | { kind: 'whole' }
  | { kind: 'last'; count: number; grain: Grain }
  | { kind: 'future'; stretch: Stretch | undefined; ahead?: Steps }
  | { kind: 'ambiguous'; days: readonly string[] };

/** A number of days, weeks, months, quarters or years. */
export type Steps = { count: number; grain: Grain };

/** The days of a window, the first and the last included. */
export type Days = { from: string; to: string };

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
const SHORT = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** Returns the number of a month's name, 1 to 12. Short names are accepted: `sept`, `dec`. */
export function monthNumber(key: string): number | undefined {
  const index = MONTHS.indexOf(key) >= 0 ? MONTHS.indexOf(key) : SHORT.indexOf(key === 'sept' ? 'sep' : key);
  return index < 0 ? undefined : index + 1;
}

export function monthStretch(year: number, month: number): Stretch {
  const name = `${padded(year, 4)}-${padded(month, 2)}`;
  return { from: firstDayOfMonth(name), to: lastDayOfMonth(name), grain: 'month' };
}

export function quarterStretch(year: number, quarter: number): Stretch {
  return {
    from: monthStretch(year, 3 * quarter - 2).from,
    to: monthStretch(year, 3 * quarter).to,
    grain: 'quarter',
  };
}

export function halfStretch(year: number, half: number): Stretch {
  return { from: monthStretch(year, 6 * half - 5).from, to: monthStretch(year, 6 * half).to, grain: 'half' };
}

export function yearStretch(year: number): Stretch {
  return { from: `${padded(year, 4)}-01-01`, to: `${padded(year, 4)}-12-31`, grain: 'year' };
}

export function decadeStretch(year: number): Stretch {
  return { from: yearStretch(year).from, to: yearStretch(year + 9).to, grain: 'decade' };
}

/** Returns the stretch of a day, or undefined if the day does not exist. */
export function dayStretch(year: number, month: number, day: number): Stretch | undefined {
  if (month < 1 || month > 12 || day < 1 || year < 1 || day > daysInMonth(year, month)) return undefined;
  const date = `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`;
  return { from: date, to: date, grain: 'day' };
}

/** Day number 0 (1970-01-01) is a Thursday, three days after a Monday. */
const FROM_MONDAY = 3;

/**
 * Returns the day, week (from Monday to Sunday), month, quarter, half-year or year (`grain`) that contains a date, or the
 * one `offset` periods later.
 */
export function stretchAround(grain: Grain, date: string, offset: number): Stretch {
  if (grain === 'day') {
    const day = addDays(date, offset);
    return { from: day, to: day, grain };
  }
  if (grain === 'week') {
    const monday = addDays(date, 7 * offset - ((((dayNumber(date) + FROM_MONDAY) % 7) + 7) % 7));
    return { from: monday, to: addDays(monday, 6), grain };
  }
  const month = addMonths(monthOf(date), monthsIn(grain) * offset);
  const [year, number] = [Number(month.slice(0, 4)), Number(month.slice(5, 7))];
  if (grain === 'month') return monthStretch(year, number);
  if (grain === 'quarter') return quarterStretch(year, Math.ceil(number / 3));
  if (grain === 'half') return halfStretch(year, Math.ceil(number / 6));
  return yearStretch(year);
}

function monthsIn(grain: Grain): number {
  return grain === 'month' ? 1 : grain === 'quarter' ? 3 : grain === 'half' ? 6 : 12;
}

/**
 * Returns the date a number of steps after a date; before it if `count` is negative. Steps of months keep the day of the
 * month, or take the last day of a shorter month.
 */
export function steppedDay(date: string, { count, grain }: Steps): string {
  if (grain === 'day' || grain === 'week') return addDays(date, count * (grain === 'week' ? 7 : 1));
  const month = addMonths(monthOf(date), count * monthsIn(grain));
  const last = lastDayOfMonth(month);
  const same = `${month}${date.slice(7)}`;
  return same < last ? same : last;
}

/** Returns the days of "the last n steps": those that end with the day of the question, which is included. */
export function daysBack(today: string, { count, grain }: Steps): Days {
  return { from: addDays(steppedDay(today, { count: -count, grain }), 1), to: today };
}

/**
 * Returns the days of "the next n steps": from the day of the question to the day n steps later, both included. An
 * obligation that is due on the day of the question is not yet overdue.
 */
export function daysAhead(today: string, steps: Steps): Days {
  return { from: today, to: steppedDay(today, steps) };
}

/** Returns the assumption that a question leaves out a year, if any of its stretches has the most recent past year. */
export function guessed(...stretches: readonly (Stretch | undefined)[]): string[] {
  return stretches.some((stretch) => stretch?.isGuessed === true) ? ['most_recent_past'] : [];
}

/** Returns the most recent stretch that ended before the date. `make` returns the stretch of a year. */
export function mostRecent(date: string, make: (year: number) => Stretch): Stretch {
  const year = Number(date.slice(0, 4));
  const own = make(year);
  return { ...(own.to < date ? own : make(year - 1)), isGuessed: true };
}

function padded(number: number, length: number): string {
  return String(number).padStart(length, '0');
}
