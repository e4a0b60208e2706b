/**
 * Returns the exponentially weighted mean: sum d^a v / sum d^a, in the unit of the values.
 *
 * `values` are equally spaced in time, oldest first, NaN if missing. The age a of the last value is 0; missing values
 * are counted in the ages too. Both sums start with the oldest value and are multiplied by the decay d (0 < d <= 1) at
 * each step before the next value is added. This order is part of the definition. The decay of a smoothing factor alpha
 * is 1 - alpha. Throws a `RangeError` if all values are missing. Source: pandas, "Exponentially weighted window",
 * `adjust=True, ignore_na=False`.
 *
 * Example: `decayedMean([3, NaN, 0], 0.5)` is 0.25 * 3 / 1.25 = 0.6.
 */
export function decayedMean(values: ArrayLike<number>, decay: number): number {
  let total = 0;
  let weights = 0;
  for (let t = 0; t < values.length; t += 1) {
    total *= decay;
    weights *= decay;
    const value = values[t]!;
    if (Number.isNaN(value)) continue;
    total += value;
    weights += 1;
  }
  if (weights === 0) throw new RangeError('the mean needs at least one value');
  return total / weights;
}
