import { normalQuantile } from '../normal-quantile.ts';

const EULER_MASCHERONI = 0.5772156649015329;
const ONE_OVER_E = 0.36787944117144233;

/**
 * Returns the expected maximum of N independent standard normals: (1 - g) z(1 - 1/N) + g z(1 - 1/(N e)), with the
 * Euler-Mascheroni constant g and the normal quantile z. Multiplied by the standard deviation of the Sharpe ratios of N
 * trials, it is the ratio that the best trial is expected to have by luck alone.
 *
 * `trials`: N, an integer of 1 or more. For one trial the result is 0, the mean of a normal variable. The
 * approximation is for large N: at 2 it is 0.5198 instead of 0.5642. Throws a `RangeError` on any other number.
 * Source: Bailey and Lopez de Prado, "The Deflated Sharpe Ratio" (2014), equation 1.
 *
 * Example: for 10 trials it is 1.5746.
 */
export function expectedMaximum(trials: number): number {
  if (!Number.isSafeInteger(trials) || trials < 1) throw new RangeError(`not a number of trials: ${trials}`);
  if (trials === 1) return 0;
  // The negated quantile of 1/N avoids the rounding error of 1 - 1/N.
  const first = -normalQuantile(1 / trials);
  const second = -normalQuantile(ONE_OVER_E / trials);
  return (1 - EULER_MASCHERONI) * first + EULER_MASCHERONI * second;
}
