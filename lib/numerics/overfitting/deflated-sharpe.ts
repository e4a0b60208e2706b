import { probabilisticSharpe } from '../risk/probabilistic-sharpe.ts';
import { expectedMaximum } from './expected-maximum.ts';

export type DeflatedSharpe = {
  /** Per-period Sharpe ratio that the best of the trials is expected to have by luck alone: SR*. */
  benchmark: number;
  /** Probability that the true ratio is above SR*, or null if the probabilistic Sharpe ratio is null. */
  probability: number | null;
};

/**
 * Returns the deflated Sharpe ratio: the probabilistic Sharpe ratio against the ratio that the best of N trials is
 * expected to have by luck alone.
 *
 * `returns`: n simple returns of the chosen trial, fractions; `riskFree`: risk-free return per period; `trials`: N, 1
 * or more; `deviation`: standard deviation (ddof 1) of the per-period Sharpe ratios of the trials, 0 or above. With one
 * trial SR* is 0, so that the result is the probabilistic Sharpe ratio against 0. Throws a `RangeError` on another N or
 * deviation.
 * Source: Bailey and Lopez de Prado, "The Deflated Sharpe Ratio" (2014), equation 2.
 *
 * Example: if the ratio equals SR*, the probability is 0.5.
 */
export function deflatedSharpe(
  returns: ArrayLike<number>,
  { riskFree, trials, deviation }: { riskFree: number; trials: number; deviation: number },
): DeflatedSharpe {
  if (!(deviation >= 0 && deviation < Infinity))
    throw new RangeError(`a standard deviation of ratios is 0 or above, got ${deviation}`);
  const benchmark = expectedMaximum(trials) * deviation;
  return { benchmark, probability: probabilisticSharpe(returns, { riskFree, target: benchmark }) };
}
