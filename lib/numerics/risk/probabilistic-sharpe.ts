import { normalCdf } from '../normal-cdf.ts';
import { sharpeSpread } from './sharpe-spread.ts';

/**
 * Returns the probability that the true Sharpe ratio per period is above a benchmark ratio SR*: Phi((SR
 * - SR*) sqrt(n - 1) / sqrt(1 - S SR + (K - 1) / 4 SR^2)). SR is the Sharpe ratio per period (ddof 1), S the
 * population skewness and K the population kurtosis (not the excess kurtosis).
 *
 * `returns`: n simple returns as fractions; `riskFree`: risk-free return per period; `target`: SR*. Returns
 * null if there are fewer than two returns, if they do not vary, or if the term under the second root is not
 * above 0.
 * Source: Bailey and Lopez de Prado, "The Sharpe Ratio Efficient Frontier" (2012), equation 9.
 *
 * Example: for a history whose Sharpe ratio equals SR*, the result is 0.5.
 */
export function probabilisticSharpe(
  returns: ArrayLike<number>,
  { riskFree, target }: { riskFree: number; target: number },
): number | null {
  const estimate = sharpeSpread(returns, riskFree);
  if (estimate === null) return null;
  const { ratio, spread } = estimate;
  return normalCdf(((ratio - target) * Math.sqrt(returns.length - 1)) / Math.sqrt(spread));
}
