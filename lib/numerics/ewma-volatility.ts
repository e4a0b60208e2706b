/**
 * Returns the exponentially weighted volatility, not demeaned: sqrt(sum d^a e^2 / sum d^a), in the unit of the values.
 *
 * `values` are equally spaced in time, oldest first, NaN if missing. The age a of the last value is 0; missing values
 * are counted in the ages too. Both sums start with the oldest value and are multiplied by the decay d (0 < d <= 1) at
 * each step before the next value is added. This order is part of the definition. A half-life of h periods is d =
 * 0.5^(1/h). Throws a `RangeError` if all values are missing. Source: J.P. Morgan/Reuters, "RiskMetrics Technical
 * Document" (1996), equation 5.1, with weights that sum to one.
 *
 * Example: `ewmaVolatility([3, NaN, 0], 0.5)` is sqrt(0.25 * 9 / 1.25) = 1.3416.
 */
export function ewmaVolatility(values: ArrayLike<number>, decay: number): number {
  let squares = 0;
  let weights = 0;
  for (let t = 0; t < values.length; t += 1) {
    squares *= decay;
    weights *= decay;
    const value = values[t]!;
    if (Number.isNaN(value)) continue;
    squares += value * value;
    weights += 1;
  }
  if (weights === 0) throw new RangeError('the volatility needs at least one value');
  return Math.sqrt(squares / weights);
}
