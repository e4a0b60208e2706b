import type { Matrix } from 'ml-matrix';
import { columnProducts } from '../column-products.ts';
import { mean } from '../descriptive.ts';

/**
 * Returns the sums of products of deviations from the means, (X - m)'(X - m), summed in the order of time.
 *
 * Shapes: `series` has K rows of N values; the result is K-by-K and symmetric to the bit.
 * Errors: `RangeError` if the series are shorter than `needed` or differ in length.
 *
 * Example: [[1, 2, 3], [2, 4, 6]] gives [[2, 4], [4, 8]].
 */
export function centredProducts(series: readonly ArrayLike<number>[], needed = 2): Matrix {
  const centred = centredSeries(series, needed);
  const length = centred[0]?.length ?? 0;
  return columnProducts(length, centred.length, (row, to, at) => {
    for (let k = 0; k < centred.length; k += 1) to[at + k] = centred[k]![row]!;
  });
}

/** Returns each series less its mean. Throws a `RangeError` as `centredProducts` does. */
export function centredSeries(series: readonly ArrayLike<number>[], needed = 2): Float64Array[] {
  const length = series[0]?.length ?? 0;
  return series.map((values) => {
    if (values.length !== length || length < needed) {
      throw new RangeError(`a covariance needs ${needed} or more values, the same number in each series`);
    }
    const centre = mean(values);
    return Float64Array.from(values, (value) => value - centre);
  });
}
