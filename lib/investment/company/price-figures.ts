import { addDays, addMonths, daysInMonth, lastDayOfMonth } from '#lib/core/date.ts';
import type { PriceFrequency } from '#lib/data/instrument-series.query.ts';

/** A close, adjusted for splits and dividends, and the number of shares traded. */
export type PricePoint = { day: string; close: number; volume: number | null };

export type PriceFigures = {
  /**
   * Simple returns over 1, 3 and 12 months, as fractions. Null if there is no close near the day 1, 3 or 12 months
   * before the last close.
   */
  return1m: number | null;
  return3m: number | null;
  return12m: number | null;
  /** Annualised volatility as a fraction. Null if there are too few returns. */
  volatility: number | null;
  /** The number of returns from which the volatility is computed. */
  volatilityReturns: number;
  low: PricePoint;
  high: PricePoint;
  medianVolume: number | null;
};

/** Periods per year, minimum number of returns for a volatility, and maximum age of a base close in days. */
const rules = {
  daily: { periodsAYear: 252, returnsMin: 20, toleranceDays: 10 },
  monthly: { periodsAYear: 12, returnsMin: 6, toleranceDays: 30 },
} as const satisfies Record<PriceFrequency, unknown>;

const WEEKS_52_DAYS = 364;

/**
 * Returns the figures of a price history that ends with its last close. `points` ascend by day; days are
 * YYYY-MM-DD, closes are above 0. Throws a `RangeError` without points.
 *
 * - A return compares the last close with a base close: the last close up to the same day of an earlier month, or up
 *   to the end of that month in a monthly series. The base close must be at most 10 days older than this day (30 days
 *   in a monthly series).
 * - The volatility is the standard deviation (ddof 1) of the simple returns between consecutive closes of the last
 *   12 months, times the square root of 252 (daily) or 12 (monthly). It needs at least 20 returns (6 in a monthly
 *   series).
 * - The range is over the 364 days up to the last close, inclusive.
 * - The median volume is over the last 3 months.
 *
 * Example: monthly closes of 100 and 110 have a return of 0.1 over one month, and a null return over 3
 * months.
 */
export function priceFigures(points: readonly PricePoint[], frequency: PriceFrequency): PriceFigures {
  const last = points.at(-1);
  if (last === undefined) throw new RangeError('the figures need at least one close');
  const { periodsAYear, returnsMin, toleranceDays } = rules[frequency];
  const back = (months: number) => dayBefore(last.day, months, frequency);
  const baseOf = (months: number) => {
    const target = back(months);
    const base = points.findLast(({ day }) => day <= target);
    return base && base.day >= addDays(target, -toleranceDays) ? base : undefined;
  };
  const returnOver = (months: number) => {
    const base = baseOf(months);
    return base ? last.close / base.close - 1 : null;
  };
  const yearAgo = baseOf(12)?.day ?? back(12);
  const ofYear = points.filter(({ day }) => day >= yearAgo);
  const returns = ofYear.slice(1).map(({ close }, at) => close / ofYear[at]!.close - 1);
  const within = points.filter(({ day }) => day > addDays(last.day, -WEEKS_52_DAYS));
  const quarterAgo = back(3);
  const volumes = points.flatMap(({ day, volume }) => (day > quarterAgo && volume !== null ? volume : []));
  return {
    return1m: returnOver(1),
    return3m: returnOver(3),
    return12m: returnOver(12),
    volatility: returns.length < returnsMin ? null : deviationOf(returns) * Math.sqrt(periodsAYear),
    volatilityReturns: returns.length,
    low: within.reduce((low, each) => (each.close < low.close ? each : low)),
    high: within.reduce((high, each) => (each.close > high.close ? each : high)),
    medianVolume: volumes.length === 0 ? null : medianOf(volumes),
  };
}

/**
 * Returns the same day of an earlier month. Returns the last day of that month if the month is shorter, or if
 * the series is monthly.
 */
function dayBefore(day: string, months: number, frequency: PriceFrequency): string {
  const month = addMonths(day.slice(0, 7), -months);
  if (frequency === 'monthly') return lastDayOfMonth(month);
  const [year, number] = month.split('-').map(Number);
  const date = Math.min(Number(day.slice(8)), daysInMonth(year!, number!));
  return `${month}-${String(date).padStart(2, '0')}`;
}

/** Returns the standard deviation (ddof 1) of at least two numbers, in two passes. */
function deviationOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0);
  return Math.sqrt(squares / (values.length - 1));
}

/** Returns the median; the mean of the two middle numbers of an even count. */
function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
