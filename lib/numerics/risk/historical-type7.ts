import { quantilePosition, quantileSorted } from '../quantile.ts';
import { checkLevel } from './check-level.ts';

/**
 * Returns the historical value at risk: minus the type 7 quantile at 1 - level.
 *
 * `ascending`: n returns in ascending order, as fractions. The result is a loss as a fraction. It is below 0
 * if the quantile is a gain. Throws a `RangeError` without returns, on NaN, and on a level outside (0, 1).
 * Source: Hyndman and Fan, "Sample Quantiles in Statistical Packages" (1996), definition 7.
 *
 * Example: for [-0.04, -0.02, 0, 0.02, 0.04] at level 0.75, the result is 0.02.
 */
export function varHistoricalType7(ascending: ArrayLike<number>, level: number): number {
  checkLevel(level, ascending.length);
  return -quantileSorted(ascending, 1 - level);
}

/**
 * Returns the mean loss strictly beyond the type 7 quantile at 1 - level. Returns null if no return is below
 * it.
 *
 * Shapes and errors: see `varHistoricalType7`. This measure is not coherent; `esRockafellarUryasev` is
 * coherent.
 *
 * Example: for [-0.04, -0.02, 0, 0.02, 0.04] at level 0.75, the result is 0.04.
 */
export function esStrictlyBeyond(ascending: ArrayLike<number>, level: number): number | null {
  const quantile = -varHistoricalType7(ascending, level);
  let [total, count] = [0, 0];
  while (count < ascending.length && ascending[count]! < quantile) {
    total += ascending[count]!;
    count += 1;
  }
  return count === 0 ? null : -total / count;
}

/**
 * Returns the one or two returns between which `varHistoricalType7` interpolates: the index of each return in
 * ascending order, and its weight.
 */
export function type7Weights(count: number, level: number): { place: number; weight: number }[] {
  checkLevel(level, count);
  const { below, weight } = quantilePosition(count, 1 - level);
  if (below + 1 >= count) return [{ place: count - 1, weight: 1 }];
  return [
    { place: below, weight: 1 - weight },
    { place: below + 1, weight },
  ];
}
