import { mean } from '../descriptive.ts';
import { varies } from './varies.ts';

/**
 * Returns the covariance of two series divided by the variance of the second: the slope of the first on the
 * second.
 *
 * `returns`, `benchmark`: n values each, of the same periods; subtracting a constant risk-free return from
 * both does not change the result. Returns null if there are fewer than two values, or if `benchmark` does
 * not vary. Throws a `RangeError` on different lengths.
 * Source: Sharpe, "Capital Asset Prices" (1964).
 *
 * Example: for [0.02, 0.04, 0.06] on [0.01, 0.02, 0.03], the result is 2.
 */
export function beta(returns: ArrayLike<number>, benchmark: ArrayLike<number>): number | null {
  if (returns.length !== benchmark.length) throw new RangeError('a beta needs series of equal length');
  if (!varies(benchmark)) return null;
  const [centre, middle] = [mean(returns), mean(benchmark)];
  let [products, squares] = [0, 0];
  for (let t = 0; t < returns.length; t += 1) {
    const deviation = benchmark[t]! - middle;
    products += (returns[t]! - centre) * deviation;
    squares += deviation * deviation;
  }
  return squares > 0 ? products / squares : null;
}
