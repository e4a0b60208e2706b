import { mean, standardDeviation } from '../descriptive.ts';
import { excessReturns } from './excess-returns.ts';
import { populationMoments } from './population-moments.ts';

/** The per-period Sharpe ratio, and n - 1 times the variance of its estimate. */
export type SharpeSpread = { ratio: number; spread: number };

/**
 * Returns the per-period Sharpe ratio (ddof 1) and the spread of its estimate: 1 - S SR + (K - 1) / 4 SR^2, with S and
 * K (not excess) population moments. The standard error of the ratio is sqrt(spread / (n - 1)).
 *
 * `returns`: n simple returns, fractions; `riskFree`: return of a period. Null with fewer than two returns, if they do
 * not vary, if a return is not finite, and if the spread is not above 0.
 * Source: Bailey and Lopez de Prado, "The Sharpe Ratio Efficient Frontier" (2012), equation 8.
 *
 * Example: for [-0.01, 0.01] the ratio is 0 and the spread 1.
 */
export function sharpeSpread(returns: ArrayLike<number>, riskFree: number): SharpeSpread | null {
  if (returns.length < 2) return null;
  const excess = excessReturns(returns, riskFree);
  const { skewness, excessKurtosis } = populationMoments(excess);
  if (skewness === null || excessKurtosis === null) return null;
  const ratio = mean(excess) / standardDeviation(excess, { ddof: 1 });
  const spread = 1 - skewness * ratio + ((excessKurtosis + 2) / 4) * ratio * ratio;
  return spread > 0 && spread < Infinity ? { ratio, spread } : null;
}
