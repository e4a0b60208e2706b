import { annualVolatility } from './annual-volatility.ts';
import { excessReturns } from './excess-returns.ts';

/**
 * Returns the annual tracking error: the standard deviation (ddof 1) of r - b, times sqrt(P). Returns null
 * with fewer than two returns.
 *
 * `returns`, `benchmark`: n simple returns of the same periods, as fractions. Throws a `RangeError` on
 * different lengths.
 * Source: Grinold and Kahn, "Active Portfolio Management" (2000), chapter 3.
 *
 * Example: for a constant difference, the result is 0.
 */
export function trackingError(
  returns: ArrayLike<number>,
  benchmark: ArrayLike<number>,
  periodsPerYear: number,
): number | null {
  return annualVolatility(excessReturns(returns, benchmark), periodsPerYear);
}
