/**
 * Exponentially weighted mean: sum d^a v / sum d^a, in the unit of the values.
 *
 * `values` are equally spaced in time, oldest first, NaN where missing; the age a of the last is 0 and counts missing
 * ones too. Both sums run from the oldest value on, multiplied by the decay d (0 < d <= 1) at each step before the next
 * value joins; that order is part of the definition. The decay of a smoothing factor alpha is 1 - alpha. Throws a
 * `RangeError` when no value is there. Source: pandas, "Exponentially weighted window", `adjust=True, ignore_na=False`.
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
