/** Columns moved to mean 0 and scaled to deviation 1, and how. */
export type Standardised = { values: Float64Array; means: Float64Array; scales: Float64Array };

/**
 * Standardises each column by its mean and population deviation; a column that does not vary becomes 0, with scale 1.
 *
 * Shapes: `x` is n-by-k, row by row. Rows are added up in their order. Errors: `RangeError` without rows.
 * Example: the one column [1, 3] becomes [-1, 1] with mean 2 and scale 1.
 */
export function standardised(x: Float64Array, k: number): Standardised {
  const n = x.length / k;
  if (n === 0) throw new RangeError('nothing to standardise');
  const [means, scales] = [new Float64Array(k), new Float64Array(k)];
  for (let at = 0; at < x.length; at += 1) means[at % k]! += x[at]!;
  for (let j = 0; j < k; j += 1) means[j]! /= n;
  for (let at = 0; at < x.length; at += 1) {
    const off = x[at]! - means[at % k]!;
    scales[at % k]! += off * off;
  }
  for (let j = 0; j < k; j += 1) {
    const deviation = Math.sqrt(scales[j]! / n);
    scales[j] = deviation > Math.abs(means[j]!) * 1e-13 ? deviation : 1;
    if (!(deviation > Math.abs(means[j]!) * 1e-13)) means[j] = x[j]!;
  }
  const values = Float64Array.from(x, (value, at) => (value - means[at % k]!) / scales[at % k]!);
  return { values, means, scales };
}
