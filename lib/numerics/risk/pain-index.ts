import { mean } from '../descriptive.ts';

/**
 * Returns the pain index: the mean size of the drawdown, 0 or above.
 *
 * `drawdowns`: n drawdowns as of `drawdownSeries`, fractions. Null without drawdowns.
 * Source: Becker, "The Pain Index" (Zephyr Associates, 2006).
 *
 * Example: for [0, -0.3, -0.6] it is 0.3.
 */
export function painIndex(drawdowns: ArrayLike<number>): number | null {
  return drawdowns.length === 0 ? null : Math.abs(mean(drawdowns));
}
