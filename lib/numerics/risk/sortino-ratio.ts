import { mean } from '../descriptive.ts';
import { downsideDeviation } from './downside-deviation.ts';

/**
 * Returns the annual Sortino ratio with a target of 0: mean(r) / sqrt(mean(min(r, 0)^2)) x sqrt(P). The mean
 * in the denominator is over all n observations, not only over the losses.
 *
 * `returns`: n simple returns as fractions. Returns null if there are no returns, or if no return is
 * negative.
 * Source: Sortino and van der Meer, "Downside Risk" (1991).
 *
 * Example: for [0.03, -0.01] and 1 period a year, the result is 0.01 / 0.0070711 = 1.4142136.
 */
export function sortinoRatio(returns: ArrayLike<number>, periodsPerYear: number): number | null {
  const downside = downsideDeviation(returns, 1);
  return downside === null || downside === 0 ? null : (mean(returns) / downside) * Math.sqrt(periodsPerYear);
}
