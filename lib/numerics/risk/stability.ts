import { ln } from '../natural-log.ts';

/**
 * Returns the stability of growth: R squared of the cumulated log returns regressed on time, from 0 to 1.
 *
 * `returns`: n simple returns, fractions. It is 0 if the cumulated returns do not vary. Null with
 * fewer than two returns, and if a return is -1 or below.
 *
 * Example: for equal returns above 0 it is 1.
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
