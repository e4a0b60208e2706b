/**
 * Returns the quantile of type 7 (R's default, numpy's `linear`): linear between the order statistics around (n - 1)p.
 *
 * `values` can have any order and are not changed; the result is in their unit. Throws a `RangeError` without values,
 * on p outside 0..1 and on NaN. Source: Hyndman and Fan, "Sample Quantiles in Statistical Packages" (1996),
 * definition 7.
 *
 * Example: `quantile([3, 1, 2, 4], 0.25)` is 1.75.
 */
export function quantile(values: ArrayLike<number>, p: number): number {
  return quantileSorted(Float64Array.from(values).sort(), p);
}

/**
 * Returns the same quantile as `quantile`, for values that are already ascending. Example: `quantileSorted([1, 2, 3,
 * 4], 0.5)` is 2.5.
 */
export function quantileSorted(ascending: ArrayLike<number>, p: number): number {
  const n = ascending.length;
  if (n === 0) throw new RangeError('a quantile needs at least one value');
  if (!(p >= 0 && p <= 1)) throw new RangeError(`not a probability: ${p}`);
  // NaN sorts to the end, so it is enough to check the last value.
  if (Number.isNaN(ascending[n - 1])) throw new RangeError('a quantile of NaN is undefined');
  const { below, weight } = quantilePosition(n, p);
  if (below + 1 >= n) return ascending[n - 1]!;
  return interpolate(ascending[below]!, ascending[below + 1]!, weight);
}

/**
 * Returns the position of the type 7 quantile of n values. The quantile lies between the order statistic `below` (0 is
 * the first) and the next order statistic, at the share `weight` of their distance.
 */
export function quantilePosition(n: number, p: number): { below: number; weight: number } {
  const position = (n - 1) * p;
  const below = Math.floor(position);
  return { below, weight: position - below };
}

export function interpolate(from: number, to: number, weight: number): number {
  return from + weight * (to - from);
}
