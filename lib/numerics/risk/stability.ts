import { ln } from '../natural-log.ts';

/**
 * Returns the stability of growth: the R squared of the regression of the cumulative log returns on time,
 * from 0 to 1.
 *
 * `returns`: n simple returns as fractions. The result is 0 if the cumulative returns do not vary. Returns
 * null if there are fewer than two returns, or if a return is -1 or below.
 *
 * Example: for equal returns above 0, the result is 1.
 */
export function stability(returns: ArrayLike<number>): number | null {
  const n = returns.length;
  const levels = new Float64Array(n);
  let [level, total] = [0, 0];
  for (let t = 0; t < n; t += 1) {
    level += ln(1 + returns[t]!);
    levels[t] = level;
    total += level;
  }
  if (n < 2 || !Number.isFinite(total)) return null;
  const [centre, middle] = [total / n, (n - 1) / 2];
  let [together, times, squares] = [0, 0, 0];
  for (let t = 0; t < n; t += 1) {
    together += (t - middle) * (levels[t]! - centre);
    times += (t - middle) * (t - middle);
    squares += (levels[t]! - centre) * (levels[t]! - centre);
  }
  return squares > 0 ? (together * together) / (times * squares) : 0;
}
