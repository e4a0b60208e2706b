import { conditionalNormal, type Moments } from './conditional-normal.ts';
import type { ScenarioLaw } from './draw-scenarios.ts';
import { lowerCholesky } from './lower-cholesky.ts';

/** A factor that is set to a value. `place` is its index in the vector. */
export type SetFactor = { place: number; value: number };

/**
 * Returns the distribution of a vector with given moments and some factors set to values, and the Mahalanobis distance
 * of these values from their mean.
 *
 * The Student t distribution has the same covariance: its scale matrix is S (nu - 2) / nu. Given q set factors at the
 * squared distance d2 (under the covariance), the other factors have nu + q degrees of freedom and the conditional
 * scale times (nu + d2 nu / (nu - 2)) / (nu + q). Returns null if a matrix is not positive definite.
 * Sources: Kupiec (1998); Roth, "On the Multivariate t Distribution" (2013), section 6, for the conditional
 * distribution.
 */
export function scenarioLaw(
  moments: Moments,
  set: readonly SetFactor[],
  degrees: number | null,
): { law: ScenarioLaw; distanceSquared: number } | null {
  const ordered = [...set].sort((one, other) => one.place - other.place);
  const given = conditionalNormal(
    moments,
    ordered.map(({ place }) => place),
    ordered.map(({ value }) => value),
  );
  if (!given) return null;
  const { rest: free, distanceSquared } = given;
  const centre = Float64Array.from(moments.mean);
  for (const { place, value } of ordered) centre[place] = value;
  for (const [at, place] of free.entries()) centre[place] = given.moments.mean[at]!;
  const scale = degrees === null ? 1 : scaleOf(degrees, ordered.length, distanceSquared);
  const { covariance } = given.moments;
  const lower = lowerCholesky(degrees === null ? covariance : covariance.clone().mul(scale));
  if (!lower) return null;
  const law = { centre, free, lower, degrees: degrees === null ? null : degrees + ordered.length };
  return { law, distanceSquared };
}

function scaleOf(nu: number, q: number, distanceSquared: number): number {
  const ofCovariance = (nu - 2) / nu;
  return q === 0 ? ofCovariance : (ofCovariance * (nu + (distanceSquared * nu) / (nu - 2))) / (nu + q);
}
