import { mean } from '../descriptive.ts';

/**
 * Returns the pain index: the mean size of the drawdowns, at least 0.
 *
 * `drawdowns`: n drawdowns as returned by `drawdownSeries`, as fractions. Returns null without drawdowns.
 * Source: Becker, "The Pain Index" (Zephyr Associates, 2006).
 *
 * Example: for [0, -0.3, -0.6], the result is 0.3.
 */
export function painIndex(drawdowns: ArrayLike<number>): number | null {
  return drawdowns.length === 0 ? null : Math.abs(mean(drawdowns));
}
