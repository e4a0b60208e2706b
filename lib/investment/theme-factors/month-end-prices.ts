import { dateNumber, lastCompletedMonth, lastDayOfMonth, monthIndex, monthOfIndex } from '#lib/core/date.ts';
import { parseDecimal } from '#lib/numerics/decimal.ts';

/** One observed price: its day, and the price as the decimal text that is sealed. */
export type PriceObservation = { date: string; price: string };

/** Prices of one symbol in any order, one a day at most. */
export type PriceSeries = { symbol: string; observations: readonly PriceObservation[] };

/** The months of a run, base month first; `lastDays` are their last calendar days as date numbers. */
export type MonthWindow = { firstIndex: number; months: string[]; lastDays: Int32Array };

/**
 * For each month of the window the price (NaN when missing), and the place in `observations`, which ascend by date,
 * that it came from (-1 when missing).
 */
export type MonthEndPrices = {
  observations: readonly PriceObservation[];
  prices: Float64Array;
  chosen: Int32Array;
};

/** A month-end price is at most this many calendar days older than the last day of its month. */
export const STALE_DAYS_MAX = 7;

/**
 * The base month and the `historyMonths` return months up to the last calendar month that ends on or before the as-of
 * date. Throws a `RangeError` on what is no date. Source: specification of svc_theme_factor_ridge_v1, step 2.
 *
 * Example: as of 2020-10-28 with 2 months they are 2020-07 (base), 2020-08 and 2020-09.
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
 * Month-end prices of one symbol: in each month of the window the last observation with a price above 0, if it is at
 * most 7 calendar days older than the month's last day. Nothing is filled in. Prices after the window are not looked
 * at, so later ones change nothing.
 *
 * `space`, one element for each month of the window, takes the result; many symbols may share one large buffer.
 * Throws a `RangeError` on a date that is none, on two observations of one day, and on a price that would be used and
 * is no decimal number. Source: specification of svc_theme_factor_ridge_v1, step 3.
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
 * Observed simple returns among month-end prices: how many months have a price and one in the month before.
 * Example: prices of 3 months in a row, then a gap, then 1 month give 2.
 */
export function countReturns(prices: Float64Array): number {
  let count = 0;
  for (let month = 1; month < prices.length; month += 1) {
    if (prices[month]! > 0 && prices[month - 1]! > 0) count += 1;
  }
  return count;
}

/** Fills `space` from the last observation to the first, and gives up where the dates do not strictly ascend. */
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
