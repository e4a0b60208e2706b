import { dateNumber, lastCompletedMonth, lastDayOfMonth, monthIndex, monthOfIndex } from '#lib/core/date.ts';
import { parseDecimal } from '#lib/numerics/decimal.ts';

/** An observed price: its day, and the price as the decimal text that is sealed. */
export type PriceObservation = { date: string; price: string };

/** Prices of one symbol in any order, at most one per day. */
export type PriceSeries = { symbol: string; observations: readonly PriceObservation[] };

/** The months of a run, base month first; `lastDays` are their last calendar days as date numbers. */
export type MonthWindow = { firstIndex: number; months: string[]; lastDays: Int32Array };

/**
 * The month-end prices of a symbol. For each month of the window: the price (NaN if missing), and its index in
 * `observations` (-1 if missing). `observations` ascend by date.
 */
export type MonthEndPrices = {
  observations: readonly PriceObservation[];
  prices: Float64Array;
  chosen: Int32Array;
};

/** Maximum age of a month-end price, in calendar days before the last day of its month. */
export const STALE_DAYS_MAX = 7;

/**
 * Returns the base month and the `historyMonths` return months up to the last calendar month that ends on or before the
 * as-of date. Throws a `RangeError` if the date is not valid. Source: specification of svc_theme_factor_ridge_v1, step
 * 2.
 *
 * Example: as of 2020-10-28 with 2 months, the months are 2020-07 (base), 2020-08 and 2020-09.
 */
export function monthWindow(asOfDate: string, historyMonths: number): MonthWindow {
  const lastIndex = monthIndex(lastCompletedMonth(asOfDate));
  const firstIndex = lastIndex - historyMonths;
  const months: string[] = [];
  for (let index = firstIndex; index <= lastIndex; index += 1) months.push(monthOfIndex(index));
  return {
    firstIndex,
    months,
    lastDays: Int32Array.from(months, (month) => dateNumber(lastDayOfMonth(month))),
  };
}

/**
 * Returns the month-end prices of one symbol: for each month of the window, the last observation with a price above 0
 * that is at most 7 calendar days older than the month's last day. Missing months are not filled in. Prices after the
 * window are ignored.
 *
 * The result is written to `space`, which has one element for each month of the window; many symbols can share one
 * buffer. Throws a `RangeError` on a date that is not valid, on two observations of one day, and on a selected price
 * that is not a decimal number. Source: specification of svc_theme_factor_ridge_v1, step 3.
 */
export function monthEndPrices(
  { symbol, observations }: PriceSeries,
  window: MonthWindow,
  space = { prices: new Float64Array(window.months.length), chosen: new Int32Array(window.months.length) },
): MonthEndPrices {
  if (choose(observations, window, space) === 'ascending') return { observations, ...space };
  const ordered = [...observations].sort((a, b) => dateNumber(a.date) - dateNumber(b.date));
  if (choose(ordered, window, space) === 'ascending') return { observations: ordered, ...space };
  throw new RangeError(`two prices of ${symbol} on one day`);
}

/**
 * Counts the observed simple returns among month-end prices: months that have a price and whose previous month has a
 * price. Example: prices of 3 months in a row, then a gap, then 1 month give 2.
 */
export function countReturns(prices: Float64Array): number {
  let count = 0;
  for (let month = 1; month < prices.length; month += 1) {
    if (prices[month]! > 0 && prices[month - 1]! > 0) count += 1;
  }
  return count;
}

/** Fills `space`, from the last observation to the first. Stops if the dates do not strictly ascend. */
function choose(
  observations: readonly PriceObservation[],
  { firstIndex, lastDays }: MonthWindow,
  { prices, chosen }: { prices: Float64Array; chosen: Int32Array },
): 'ascending' | 'not ascending' {
  prices.fill(Number.NaN);
  chosen.fill(-1);
  let nextDay = Number.POSITIVE_INFINITY;
  for (let i = observations.length - 1; i >= 0; i -= 1) {
    const { date, price } = observations[i]!;
    const day = dateNumber(date);
    if (day >= nextDay) return 'not ascending';
    nextDay = day;
    const month = Math.floor(day / 10_000) * 12 + (Math.floor(day / 100) % 100) - 1 - firstIndex;
    if (month < 0 || month >= lastDays.length || chosen[month]! >= 0) continue;
    if (day < lastDays[month]! - STALE_DAYS_MAX) continue;
    const value = parseDecimal(price);
    if (!(value > 0)) continue;
    prices[month] = value;
    chosen[month] = i;
  }
  return 'ascending';
}
