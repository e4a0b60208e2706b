import { quantileSorted } from '../quantile.ts';

/**
 * Returns the tail ratio: the size of the type 7 quantile at 95 % divided by the size of the type 7 quantile
 * at 5 %.
 *
 * `ascending`: n returns in ascending order. Returns null if the lower quantile is 0. Throws a `RangeError`
 * without returns.
 *
 * Example: for [-0.02, 0, 0.02], the result is 1.
 */
export function tailRatio(ascending: ArrayLike<number>): number | null {
  const low = Math.abs(quantileSorted(ascending, 0.05));
  return low === 0 ? null : Math.abs(quantileSorted(ascending, 0.95)) / low;
}
