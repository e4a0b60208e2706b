import { annualReturn } from './annual-return.ts';
import { sharpeRatio } from './sharpe-ratio.ts';
import { trackingError } from './tracking-error.ts';

/**
 * Returns the arithmetic information ratio: mean(r - b) / sd(r - b; ddof 1) x sqrt(P).
 *
 * `returns`, `benchmark`: n simple returns of the same periods, as fractions. Returns null if r - b does not
 * vary. Throws a `RangeError` on different lengths.
 * Source: Grinold and Kahn, "Active Portfolio Management" (2000), chapter 5.
 */
export function informationRatio(
  returns: ArrayLike<number>,
  benchmark: ArrayLike<number>,
  periodsPerYear: number,
): number | null {
  return sharpeRatio(returns, { riskFree: benchmark, periodsPerYear });
}

/**
 * Returns the active premium: the geometric annual return of the portfolio minus the geometric annual return
 * of the benchmark. Returns null if either annual return is null.
 *
 * Example: 12 monthly returns that compound to 0.1, and benchmark returns that compound to 0.04, give 0.06.
 */
export function activePremium(
  returns: ArrayLike<number>,
  benchmark: ArrayLike<number>,
  periodsPerYear: number,
): number | null {
  const own = annualReturn(returns, periodsPerYear);
  const other = annualReturn(benchmark, periodsPerYear);
  return own === null || other === null ? null : own - other;
}

/**
 * Returns the geometric information ratio: the active premium divided by the tracking error. Returns null if
 * the tracking error is 0.
 */
export function informationRatioGeometric(
  returns: ArrayLike<number>,
  benchmark: ArrayLike<number>,
  periodsPerYear: number,
): number | null {
  const premium = activePremium(returns, benchmark, periodsPerYear);
  const error = trackingError(returns, benchmark, periodsPerYear);
  return premium === null || error === null || error === 0 ? null : premium / error;
}
