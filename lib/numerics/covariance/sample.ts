import type { Matrix } from 'ml-matrix';
import { centredProducts } from './centred-products.ts';

/**
 * Returns the sample covariance matrix: sums of products of deviations from the means, divided by N - 1.
 *
 * Shapes: `series` has K rows of N values; the result is K-by-K and symmetric to the bit, in the product of
 * the units.
 * Errors: `RangeError` with fewer than two values or series of different lengths.
 * Source: the definition, as in `covarianceMatrix`. This function is fast enough for hundreds of series.
 *
 * Example: [[1, 2, 3], [2, 4, 6]] gives [[1, 2], [2, 4]].
 */
export function sampleCovariance(series: readonly ArrayLike<number>[]): Matrix {
  const products = centredProducts(series);
  return products.div((series[0]?.length ?? 2) - 1);
}
