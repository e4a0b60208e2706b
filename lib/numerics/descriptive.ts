/** Sums from left to right, starting at 0. Example: `sum([1, 2, 3])` is 6; without values the sum is 0. */
export function sum(values: ArrayLike<number>): number {
  let total = 0;
  for (let i = 0; i < values.length; i += 1) total += values[i]!;
  return total;
}

/**
 * Returns the arithmetic mean in the unit of the values. Throws a `RangeError` without values. Example: `mean([1, 2,
 * 6])` is 3.
 */
export function mean(values: ArrayLike<number>): number {
  if (values.length === 0) throw new RangeError('the mean needs at least one value');
  return sum(values) / values.length;
}

/**
 * Returns the standard deviation in the unit of the values, in two passes: sqrt(sum (v - mean)^2 / (T - ddof)).
 *
 * `ddof` 1 gives the sample, 0 the population standard deviation. Throws a `RangeError` with fewer than `ddof` + 1
 * values. Source: Chan, Golub and LeVeque, "Algorithms for Computing the Sample Variance" (1983), two-pass.
 *
 * Example: `standardDeviation([2, 4, 4, 4, 5, 5, 7, 9], { ddof: 0 })` is 2.
 */
export function standardDeviation(values: ArrayLike<number>, { ddof }: { ddof: 0 | 1 }): number {
  if (values.length <= ddof) throw new RangeError(`the deviation needs at least ${ddof + 1} values`);
  const centre = mean(values);
  let squares = 0;
  for (let i = 0; i < values.length; i += 1) {
    const deviation = values[i]! - centre;
    squares += deviation * deviation;
  }
  return Math.sqrt(squares / (values.length - ddof));
}
