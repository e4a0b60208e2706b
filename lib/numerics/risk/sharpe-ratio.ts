import { mean, standardDeviation } from '../descriptive.ts';
import { excessReturns } from './excess-returns.ts';
import { varies } from './varies.ts';

/**
 * Returns the annual Sharpe ratio: mean(r - f) / sd(r - f; ddof 1) x sqrt(P).
 *
 * `returns`: n simple returns, fractions. `riskFree`: f, the risk-free return of a period, or the returns of a
 * benchmark in the same periods, which gives the information ratio. Null with fewer than two returns, and if the excess
 * returns do not vary.
 * Source: Sharpe, "The Sharpe Ratio" (Journal of Portfolio Management 1994), equations 3 to 6.
 *
 * Example: for [0.01, 0.03], f = 0 and 1 period a year it is 0.02 / 0.0141421 = 1.4142136.
 */
export function sharpeRatio(
  returns: ArrayLike<number>,
  { riskFree, periodsPerYear }: { riskFree: number | ArrayLike<number>; periodsPerYear: number },
): number | null {
  const excess = excessReturns(returns, riskFree);
  if (!varies(excess)) return null;
  return (mean(excess) / standardDeviation(excess, { ddof: 1 })) * Math.sqrt(periodsPerYear);
}
