import { normalDensity } from '../normal-density.ts';
import { normalQuantile } from '../normal-quantile.ts';
import { checkLevel } from './check-level.ts';
import type { PopulationMoments } from './population-moments.ts';

/**
 * Returns the value at risk with the Cornish-Fisher quantile: -(mean + z_cf sd), z_cf = z + (z^2 - 1) S / 6
 * + (z^3 - 3z) K / 24 - (2z^3 - 5z) S^2 / 36.
 *
 * `moments`: population moments in the unit of the returns. The result is not capped at 1. Returns null if
 * the returns do not vary. Throws a `RangeError` on a level outside (0, 1).
 * Source: Favre and Galeano, "Mean-Modified Value-at-Risk Optimization with Hedge Funds" (2002).
 *
 * Example: if skewness and excess kurtosis are 0, the result equals `varGaussian`.
 */
export function varCornishFisher(moments: PopulationMoments, level: number): number | null {
  checkLevel(level, 1);
  const { mean, deviation, skewness: S, excessKurtosis: K } = moments;
  if (S === null || K === null) return null;
  const z = normalQuantile(1 - level);
  const square = z * z;
  const expanded =
    z + ((square - 1) * S) / 6 + ((square - 3) * z * K) / 24 - ((2 * square - 5) * z * S * S) / 36;
  return -(mean + expanded * deviation);
}

/**
 * Returns the expected shortfall of the Cornish-Fisher expansion: the mean of its quantiles beyond the level,
 * -mean + sd phi(z) (1 + z S / 6 + (z^2 - 1) K / 24 - (2z^2 - 1) S^2 / 36) / (1 - level).
 *
 * Units and errors: see `varCornishFisher`.
 * Source: Maillard, "A User's Guide to the Cornish Fisher Expansion" (2018), section 5: the integral of the
 * expansion in closed form.
 *
 * Example: if skewness and excess kurtosis are 0, the result equals `esGaussian`.
 */
export function esCornishFisher(moments: PopulationMoments, level: number): number | null {
  checkLevel(level, 1);
  const { mean, deviation, skewness: S, excessKurtosis: K } = moments;
  if (S === null || K === null) return null;
  const z = normalQuantile(1 - level);
  const square = z * z;
  const factor = 1 + (z * S) / 6 + ((square - 1) * K) / 24 - ((2 * square - 1) * S * S) / 36;
  return -mean + (deviation * normalDensity(z) * factor) / (1 - level);
}
