import { normalCdf } from '#lib/numerics/normal-cdf.ts';
import { normalDensity } from '#lib/numerics/normal-density.ts';
import { normalQuantile } from '#lib/numerics/normal-quantile.ts';

/** Value of a netting set at a future date, normally distributed. Both in one unit of money; `stdev` is 0 or above. */
export type NormalValue = { mean: number; stdev: number };

/**
 * Expected positive exposure of a normal value: E[max(V, 0)] = m Phi(m / s) + s phi(m / s), and max(m, 0) where s is 0.
 *
 * Unit: that of the value. The expected negative exposure E[max(-V, 0)] is the same of `{ mean: -m, stdev: s }`. Where the
 * mean is k standard deviations on the other side, about k^2 units in the last place are lost to cancellation.
 * Throws a `RangeError` on a standard deviation below 0.
 * Source: Gregory, "The xVA Challenge" (2015), the closed forms for a normal future value.
 *
 * Example: `expectedExposure({ mean: 0, stdev: 1 })` is 0.3989422804014327.
 */
export function expectedExposure({ mean, stdev }: NormalValue): number {
  if (!(stdev >= 0)) throw new RangeError(`a standard deviation cannot be ${stdev}`);
  if (stdev === 0) return Math.max(mean, 0);
  const distance = mean / stdev;
  return Math.max(mean * normalCdf(distance) + stdev * normalDensity(distance), 0);
}

/**
 * Expected exposure that is left where collateral is called above a threshold T, without delay and without a minimum:
 * E[min(max(V, 0), T)] = E[max(V, 0)] - E[max(V - T, 0)]. Throws a `RangeError` on a threshold below 0.
 *
 * Example: `expectedExposureBelow({ mean: 0, stdev: 1 }, 0)` is 0.
 */
export function expectedExposureBelow({ mean, stdev }: NormalValue, threshold: number): number {
  if (!(threshold >= 0)) throw new RangeError(`a threshold cannot be ${threshold}`);
  const above = expectedExposure({ mean: mean - threshold, stdev });
  return Math.max(expectedExposure({ mean, stdev }) - above, 0);
}

/**
 * Potential future exposure: the value that is not exceeded with the given probability, m + s z, not below 0.
 *
 * Example: `potentialExposure({ mean: 0, stdev: 1 }, 0.975)` is 1.9599639845400536.
 */
export function potentialExposure({ mean, stdev }: NormalValue, probability: number): number {
  return Math.max(stdev === 0 ? mean : mean + stdev * normalQuantile(probability), 0);
}

/**
 * Expected exposure of a fully collateralised netting set over its margin period of risk, the time from the last
 * collateral to the close-out: s sqrt(days / days a year) phi(0), with s the standard deviation of a year.
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
