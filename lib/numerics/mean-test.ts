import { mean, standardDeviation } from './descriptive.ts';
import { neweyWestLags, neweyWestVariance } from './newey-west.ts';

/** The mean of a series, and the distance of the mean from 0 in standard errors. */
export type MeanTest = {
  count: number;
  /** Arithmetic mean; null without values. */
  mean: number | null;
  /** Standard deviation (ddof 1); null with fewer than 2 values. */
  deviation: number | null;
  /** t statistic: mean / (deviation / sqrt(count)); null if the standard error is 0 or undefined. */
  t: number | null;
  lags: number;
  /**
   * t statistic with the Newey-West standard error; null with fewer than 2 values, or if this standard error
   * is 0.
   */
  neweyWestT: number | null;
};

/**
 * Tests the mean of a time series against 0, with plain and with Newey-West standard errors. The default of `lags` is
 * `neweyWestLags`; the maximum is count - 1. Throws the same errors as `neweyWestLags`.
 *
 * Example: `meanTest([1, 2, 3, 4], 1)` has the mean 2.5, t 3.872983346207417 and Newey-West t 4.
 */
export function meanTest(values: ArrayLike<number>, lags = neweyWestLags(values.length)): MeanTest {
  const count = values.length;
  const used = Math.max(0, Math.min(lags, count - 1));
  if (count === 0) return { count, mean: null, deviation: null, t: null, lags: used, neweyWestT: null };
  const centre = mean(values);
  if (count === 1) return { count, mean: centre, deviation: null, t: null, lags: used, neweyWestT: null };
  let differ = false;
  for (let at = 1; at < count; at += 1) differ ||= values[at] !== values[0];
  if (!differ) return { count, mean: values[0]!, deviation: 0, t: null, lags: used, neweyWestT: null };
  const deviation = standardDeviation(values, { ddof: 1 });
  return {
    count,
    mean: centre,
    deviation,
    t: ratio(centre, deviation / Math.sqrt(count)),
    lags: used,
    neweyWestT: ratio(centre, Math.sqrt(neweyWestVariance(values, used))),
  };
}

/**
 * Returns the t statistic of a correlation of n pairs: r sqrt((n - 2) / (1 - r^2)), with n - 2 degrees of freedom.
 * Returns null with fewer than 3 pairs, or for a correlation of 1 or -1. Source: Student, "Probable Error of a
 * Correlation Coefficient" (Biometrika 1908).
 *
 * Example: `correlationT(0.5, 14)` is 2.
 */
export function correlationT(r: number, n: number): number | null {
  const rest = 1 - r * r;
  return n < 3 || rest <= 0 ? null : r * Math.sqrt((n - 2) / rest);
}

function ratio(value: number, error: number): number | null {
  const quotient = value / error;
  return error > 0 && Number.isFinite(quotient) ? quotient : null;
}
