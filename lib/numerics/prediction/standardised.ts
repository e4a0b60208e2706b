import type { Matrix } from 'ml-matrix';
import { matrixOf } from '../matrix.ts';

/** Standardised columns, with mean 0 and standard deviation 1. `means` and `scales` convert them back. */
export type Standardised = { values: Matrix; means: Float64Array; scales: Float64Array };

/**
 * Standardises each column by its mean and population standard deviation. A constant column becomes 0, with scale 1.
 *
 * Shapes: `x` is n-by-k. Rows are summed in order. Errors: `RangeError` without rows.
 * Example: the one column [1, 3] becomes [-1, 1] with mean 2 and scale 1.
 */
export function standardised(x: Matrix): Standardised {
  const { rows: n, columns: k } = x;
  if (n === 0) throw new RangeError('standardising needs at least one row');
  const [means, scales] = [new Float64Array(k), new Float64Array(k)];
  for (let i = 0; i < n; i += 1) for (let j = 0; j < k; j += 1) means[j]! += x.get(i, j);
  for (let j = 0; j < k; j += 1) means[j]! /= n;
  for (let i = 0; i < n; i += 1) {
    for (let j = 0; j < k; j += 1) {
      const off = x.get(i, j) - means[j]!;
      scales[j]! += off * off;
    }
  }
  for (let j = 0; j < k; j += 1) {
    const deviation = Math.sqrt(scales[j]! / n);
    scales[j] = deviation > Math.abs(means[j]!) * 1e-13 ? deviation : 1;
    if (!(deviation > Math.abs(means[j]!) * 1e-13)) means[j] = x.get(0, j);
  }
  return { values: matrixOf(n, k, (i, j) => (x.get(i, j) - means[j]!) / scales[j]!), means, scales };
}
