import { quantileSorted } from '#lib/numerics/quantile.ts';
import { QUANTILES } from '#lib/numerics/scenario/sample-statistics.ts';
import { sortDoubles } from '#lib/numerics/sort-doubles.ts';
import { meanAndDeviation } from './profit-statistics.ts';

/**
 * Returns the statistics of the maximum drawdown of the portfolio value over each path. A drawdown is
 * relative to the highest earlier value, including the start, and is a fraction of 0 or below. Returns null
 * if the value at the start is not above 0.
 *
 * `byMonth`: profits by month and path, in the unit of `value`.
 */
export function valueDrawdowns(byMonth: readonly Float64Array[], value: number) {
  if (!(value > 0)) return null;
  const paths = byMonth[0]!.length;
  const falls = new Float64Array(paths);
  const peaks = new Float64Array(paths).fill(value);
  for (const profits of byMonth)
    for (let path = 0; path < paths; path += 1) {
      const level = value + profits[path]!;
      if (level > peaks[path]!) peaks[path] = level;
      falls[path] = Math.min(falls[path]!, level / peaks[path]! - 1);
    }
  const { mean, deviation } = meanAndDeviation(falls);
  const sorted = sortDoubles(falls);
  return {
    mean,
    standard_deviation: deviation,
    quantiles: QUANTILES.map((p) => ({ p, value: quantileSorted(sorted, p) })),
    deepest: sorted[0]!,
  };
}
