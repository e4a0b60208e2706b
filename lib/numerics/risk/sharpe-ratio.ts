import { mean, standardDeviation } from '../descriptive.ts';
import { excessReturns } from './excess-returns.ts';
import { varies } from './varies.ts';

/**
 * Returns the annual Sharpe ratio: mean(r - f) / sd(r - f; ddof 1) x sqrt(P).
 *
 * `returns`: n simple returns as fractions. `riskFree`: f, the risk-free return per period, or the returns of
 * a benchmark in the same periods. With a benchmark, the result is the information ratio. Returns null if
 * there are fewer than two returns, or if the excess returns do not vary.
 * Source: Sharpe, "The Sharpe Ratio" (Journal of Portfolio Management 1994), equations 3 to 6.
 *
 * Example: for [0.01, 0.03], f = 0 and 1 period a year, the result is 0.02 / 0.0141421 = 1.4142136.
 */
export function sharpeRatio(
  returns: ArrayLike<number>,
  { riskFree, periodsPerYear }: { riskFree: number | ArrayLike<number>; periodsPerYear: number },
): number | null {
  const excess = excessReturns(returns, riskFree);
  if (!varies(excess)) return null;
  return (mean(excess) / standardDeviation(excess, { ddof: 1 })) * Math.sqrt(periodsPerYear);
}
