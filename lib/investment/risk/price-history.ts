import { ROWS_FILLED_MAX } from './risk-limits.ts';

/**
 * Writes the simple returns of a price series to `out`, and returns the number of missing prices that were
 * filled. Returns null if the series has no usable history.
 *
 * `prices`: T + 1 prices, oldest first, NaN if missing. A gap of at most 5 prices is filled with the price
 * before the gap, or at the start with the first price. The whole change of the price is therefore in the
 * return after the gap. A series is not usable if it has a longer gap, no price, or a price that is not above
 * 0. `out`: T returns. Throws a `RangeError` if the lengths do not match.
 *
 * Example: for [100, NaN, 110] the returns are [0, 0.1], and one price was filled.
 */
export function writeReturns(prices: Float64Array, out: Float64Array): number | null {
  const rows = prices.length;
  if (rows !== out.length + 1) throw new RangeError(`${rows} prices do not have ${out.length} returns`);
  let first = 0;
  while (first < rows && Number.isNaN(prices[first]!)) first += 1;
  if (first === rows || first > ROWS_FILLED_MAX || !isPrice(prices[first]!)) return null;
  let [filled, gap, last] = [first, 0, prices[first]!];
  for (let row = 1; row < rows; row += 1) {
    const price = prices[row]!;
    if (isPrice(price)) {
      out[row - 1] = row > first ? price / last - 1 : 0;
      last = price;
      gap = 0;
    } else if (row <= first) {
      out[row - 1] = 0;
    } else {
      gap += 1;
      filled += 1;
      if (price === price || gap > ROWS_FILLED_MAX) return null;
      out[row - 1] = 0;
    }
  }
  return filled;
}

function isPrice(value: number): boolean {
  return value > 0 && value < Infinity;
}
