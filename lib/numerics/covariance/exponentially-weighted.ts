import type { Matrix } from 'ml-matrix';
import { columnProducts } from '../column-products.ts';
import { exp } from '../exponential.ts';

const LN2 = 0.6931471805599453;

/**
 * Returns the exponentially weighted covariance matrix, not demeaned: sum d^a x x' / sum d^a, with the age a of the last
 * value 0 and the decay d = 0.5^(1/h).
 *
 * Shapes: `series` has K rows of N values, oldest first; the result is K-by-K, in the product of the units.
 * Units: `halfLife` in periods, above 0.
 * Errors: `RangeError` without values, with series of different lengths, or with a half-life of 0 or below.
 * Source: J.P. Morgan/Reuters, "RiskMetrics Technical Document" (1996), equation 5.11, with weights that sum to one.
 *
 * Example: [[3, 0]] with the half-life 1 gives [[0.5 * 9 / 1.5]] = [[3]].
 */
export function exponentiallyWeightedCovariance(
  series: readonly ArrayLike<number>[],
  { halfLife }: { halfLife: number },
): Matrix {
  const length = series[0]?.length ?? 0;
  if (!(halfLife > 0)) throw new RangeError(`the half-life is ${halfLife}; it must be above 0`);
  if (length < 1 || series.some((values) => values.length !== length))
    throw new RangeError('a covariance needs one or more values, the same number in each series');
  const roots = new Float64Array(length);
  let weights = 0;
  for (let t = 0; t < length; t += 1) {
    const weight = exp((-LN2 * (length - 1 - t)) / halfLife);
    roots[t] = Math.sqrt(weight);
    weights += weight;
  }
  const products = columnProducts(length, series.length, (row, to, at) => {
    for (let k = 0; k < series.length; k += 1) to[at + k] = roots[row]! * series[k]![row]!;
  });
  return products.div(weights);
}
