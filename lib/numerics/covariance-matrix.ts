import { Matrix } from 'ml-matrix';
import { mean } from './descriptive.ts';

/**
 * Returns the sample covariance matrix (ddof 1) of series of equal length.
 *
 * `series`: K series of T values each. The result is K-by-K, symmetric to the bit, in the product of the units. Throws
 * a `RangeError` if a series has fewer than two values, or if the series have different lengths. Without series, the
 * matrix is empty. Source: the definition, sum (a - mean a)(b - mean b) / (T - 1), summed in the order of the values.
 *
 * Example: `covarianceMatrix([[1, 2, 3], [2, 4, 6]])` is [[1, 2], [2, 4]].
 */
export function covarianceMatrix(series: readonly (readonly number[])[]): Matrix {
  const length = series[0]?.length ?? 0;
  for (const values of series) {
    if (values.length !== length || length < 2) {
      throw new RangeError('a covariance needs two or more values, the same number in each series');
    }
  }
  const centred = series.map((values) => {
    const centre = mean(values);
    return values.map((value) => value - centre);
  });
  const covariances = new Matrix(centred.length, centred.length);
  for (let k = 0; k < centred.length; k += 1) {
    for (let l = k; l < centred.length; l += 1) {
      let products = 0;
      for (let t = 0; t < length; t += 1) products += centred[k]![t]! * centred[l]![t]!;
      covariances.set(k, l, products / (length - 1));
      covariances.set(l, k, covariances.get(k, l));
    }
  }
  return covariances;
}
