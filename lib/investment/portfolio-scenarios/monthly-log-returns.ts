import { addMonths, monthOf } from '#lib/core/date.ts';
import { ln } from '#lib/numerics/natural-log.ts';

/**
 * Returns the latest months of a table, oldest first, in which no month is skipped and no value is missing.
 *
 * `days`: ascending days, one per month. `values`: row by row, one number per factor, NaN if missing. In the
 * result, `months` are YYYY-MM, and `returns` has one column per factor.
 */
export function completeMonths(
  days: readonly string[],
  values: Float64Array,
  factors: number,
): { months: string[]; returns: Float64Array[] } {
  const months = days.map(monthOf);
  let first = days.length;
  while (first > 0) {
    const row = values.subarray((first - 1) * factors, first * factors);
    if (row.some(Number.isNaN)) break;
    if (first < days.length && months[first - 1] !== addMonths(months[first]!, -1)) break;
    first -= 1;
  }
  return {
    months: months.slice(first),
    returns: Array.from({ length: factors }, (_, place) =>
      Float64Array.from({ length: days.length - first }, (_, t) => values[(first + t) * factors + place]!),
    ),
  };
}

/**
 * Returns the log return of a symbol in each month; NaN if the price of the month or of the previous month is
 * missing. Returns null if the symbol has no log return in any month.
 *
 * `observations`: texts `date price`, separated by commas, with the last price of each month. Example: for
 * 2020-01-31 100 and 2020-02-29 110, the log return of February 2020 is ln(1.1), and the log return of
 * January is NaN.
 */
export function monthlyLogReturns(observations: string, months: readonly string[]): Float64Array | null {
  const prices = new Map(
    observations.split(',').map((cell): [string, number] => [cell.slice(0, 7), Number(cell.slice(11))]),
  );
  const returns = Float64Array.from(months, (month) => {
    const [before, now] = [prices.get(addMonths(month, -1)), prices.get(month)];
    return before !== undefined && now !== undefined ? ln(now / before) : Number.NaN;
  });
  return returns.every(Number.isNaN) ? null : returns;
}
