import { mean, standardDeviation } from '../descriptive.ts';
import { normalCdf } from '../normal-cdf.ts';
import { excessReturns } from './excess-returns.ts';
import { populationMoments } from './population-moments.ts';

/**
 * Returns the probability that the true Sharpe ratio of a period is above a benchmark ratio: Phi((SR - SR*) sqrt(n - 1)
 * / sqrt(1 - S SR + (K - 1) / 4 SR^2)), SR of a period (ddof 1), S and K (not excess) population moments.
 *
 * `returns`: n simple returns, fractions; `riskFree`: return of a period; `target`: SR*. Null with fewer than two
 * returns, if they do not vary, and if the term under the root is not above 0.
 * Source: Bailey and Lopez de Prado, "The Sharpe Ratio Efficient Frontier" (2012), equation 9.
 *
 * Example: a history with the Sharpe ratio of the benchmark has 0.5.
 */
export function probabilisticSharpe(
  returns: ArrayLike<number>,
  { riskFree, target }: { riskFree: number; target: number },
): number | null {
  const n = returns.length;
  if (n < 2) return null;
  const excess = excessReturns(returns, riskFree);
  const { skewness, excessKurtosis } = populationMoments(excess);
  if (skewness === null || excessKurtosis === null) return null;
  const ratio = mean(excess) / standardDeviation(excess, { ddof: 1 });
  const spread = 1 - skewness * ratio + ((excessKurtosis + 2) / 4) * ratio * ratio;
  return spread > 0 ? normalCdf(((ratio - target) * Math.sqrt(n - 1)) / Math.sqrt(spread)) : null;
}
