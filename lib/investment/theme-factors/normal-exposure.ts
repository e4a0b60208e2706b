import { normalCdf } from '#lib/numerics/normal-cdf.ts';
import { normalDensity } from '#lib/numerics/normal-density.ts';
import { normalQuantile } from '#lib/numerics/normal-quantile.ts';

/**
 * Value of a netting set at a future date, normally distributed. Both members have the same unit of money; `stdev` is 0
 * or above.
 */
export type NormalValue = { mean: number; stdev: number };

/**
 * Returns the expected positive exposure of a normal value: E[max(V, 0)] = m Phi(m / s) + s phi(m / s), and max(m, 0)
 * if s is 0.
 *
 * Unit: the unit of the value. The expected negative exposure E[max(-V, 0)] is the positive exposure of `{ mean: -m,
 * stdev: s }`. If the mean is k standard deviations below 0, cancellation loses about k^2 units in the last place.
 * Throws a `RangeError` on a standard deviation below 0.
 * Source: Gregory, "The xVA Challenge" (2015), the closed forms for a normal future value.
 *
 * Example: `expectedExposure({ mean: 0, stdev: 1 })` is 0.3989422804014327.
 */
export function expectedExposure({ mean, stdev }: NormalValue): number {
  if (!(stdev >= 0)) throw new RangeError(`standard deviation must be 0 or above: ${stdev}`);
  if (stdev === 0) return Math.max(mean, 0);
  const distance = mean / stdev;
  return Math.max(mean * normalCdf(distance) + stdev * normalDensity(distance), 0);
}

/**
 * Returns the expected exposure that remains if collateral is called above a threshold T, without delay and without a
 * minimum transfer amount: E[min(max(V, 0), T)] = E[max(V, 0)] - E[max(V - T, 0)]. Throws a `RangeError` on a threshold
 * below 0.
 *
 * Example: `expectedExposureBelow({ mean: 0, stdev: 1 }, 0)` is 0.
 */
export function expectedExposureBelow({ mean, stdev }: NormalValue, threshold: number): number {
  if (!(threshold >= 0)) throw new RangeError(`threshold must be 0 or above: ${threshold}`);
  const above = expectedExposure({ mean: mean - threshold, stdev });
  return Math.max(expectedExposure({ mean, stdev }) - above, 0);
}

/**
 * Returns the potential future exposure, the value that is not exceeded with the given probability: m + s z, at least
 * 0.
 *
 * Example: `potentialExposure({ mean: 0, stdev: 1 }, 0.975)` is 1.9599639845400536.
 */
export function potentialExposure({ mean, stdev }: NormalValue, probability: number): number {
  return Math.max(stdev === 0 ? mean : mean + stdev * normalQuantile(probability), 0);
}

/**
 * Returns the expected exposure of a fully collateralised netting set over its margin period of risk, the time from the
 * last collateral exchange to the close-out: s sqrt(days / days per year) phi(0), with s the yearly standard deviation.
 *
 * Example: `marginPeriodExposure({ annualStdev: 1, days: 252, daysPerYear: 252 })` is 0.3989422804014327.
 */
export function marginPeriodExposure({
  annualStdev,
  days,
  daysPerYear,
}: {
  annualStdev: number;
  days: number;
  daysPerYear: number;
}): number {
  return expectedExposure({ mean: 0, stdev: annualStdev * Math.sqrt(days / daysPerYear) });
}
