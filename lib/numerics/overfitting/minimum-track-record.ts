import { normalQuantile } from '../normal-quantile.ts';
import { sharpeSpread } from '../risk/sharpe-spread.ts';

/**
 * Returns the minimum track record length: the number of returns with which the probabilistic Sharpe ratio reaches a
 * level, if the moments stay as observed. It is 1 + (1 - S SR + (K - 1) / 4 SR^2) (z / (SR - SR*))^2, in returns, and
 * not rounded. z is the normal quantile of the level.
 *
 * `returns`: n simple returns, fractions; `riskFree`: risk-free return per period; `target`: SR*, a per-period Sharpe
 * ratio; `level` in (0.5, 1). Null if the ratio is not above SR*, since no length suffices, or if the probabilistic
 * Sharpe ratio is null. Throws a `RangeError` on another level. Source: Bailey and Lopez de Prado, "The Sharpe Ratio
 * Efficient Frontier" (2012), equation 11.
 *
 * Example: normal returns with the ratio 0.1 need 1 + 1.005 (1.6449 / 0.1)^2 = 272.9 returns at the level 0.95.
 */
export function minimumTrackRecord(
  returns: ArrayLike<number>,
  { riskFree, target, level }: { riskFree: number; target: number; level: number },
): number | null {
  if (!(level > 0.5 && level < 1)) throw new RangeError(`a level is between 0.5 and 1, got ${level}`);
  const estimate = sharpeSpread(returns, riskFree);
  if (estimate === null || !(estimate.ratio > target)) return null;
  const distance = normalQuantile(level) / (estimate.ratio - target);
  return 1 + estimate.spread * distance * distance;
}
