import { checkLevel } from './check-level.ts';

/**
 * Returns the rank k, counted from the lowest return, of the return that is the value at risk: k = floor((n - 1)(1
 * - level)) + 1, from 1 to n.
 *
 * Example: for 1,006 returns at level 0.95, the result is 51.
 */
export function tailCount(count: number, level: number): number {
  checkLevel(level, count);
  return Math.floor((count - 1) * (1 - level) + 1e-9) + 1;
}

/**
 * Returns the historical value at risk without interpolation: minus the k-th lowest return. k is the result
 * of `tailCount`.
 *
 * `ascending`: n returns in ascending order, as fractions. Throws a `RangeError` without returns and on a
 * level outside (0, 1).
 *
 * Example: for [-0.04, -0.02, 0, 0.02] at level 0.7, the result is 0.04, because k is 1.
 */
export function varHistoricalOrder(ascending: ArrayLike<number>, level: number): number {
  return -ascending[tailCount(ascending.length, level) - 1]!;
}

/**
 * Returns minus the mean of the k lowest returns. k is the result of `tailCount`.
 *
 * Shapes and errors: see `varHistoricalOrder`. Example: for [-0.04, -0.02, 0, 0.02] at level 0.6, the result
 * is 0.03.
 */
export function esHistoricalOrder(ascending: ArrayLike<number>, level: number): number {
  const k = tailCount(ascending.length, level);
  let total = 0;
  for (let at = 0; at < k; at += 1) total += ascending[at]!;
  return -total / k;
}
