import type { Matrix } from 'ml-matrix';
import { matrixOf } from '../matrix.ts';
import { backwardSolve, forwardSolve, lowerCholesky } from './lower-cholesky.ts';

/** Mean and covariance (D-by-D) of a vector of D factors. */
export type Moments = { mean: Float64Array; covariance: Matrix };

export type Conditional = {
  /** Indices of the other factors, which are not set, ascending. */
  rest: number[];
  moments: Moments;
  /**
   * Squared Mahalanobis distance of the set values from their mean. A large distance means that the values are
   * implausible.
   */
  distanceSquared: number;
};

/**
 * Returns the mean and covariance of the other factors given the set values:
 * mu_R + S_RS S_SS^-1 (s - mu_S) and S_RR - S_RS S_SS^-1 S_SR, by Cholesky solves.
 *
 * Shapes: `places` ascend, and `values` has one value for each of the places. Returns null if the covariance block of
 * the set factors is singular.
 * Source: Kupiec, "Stress Testing in a Value at Risk Framework" (Journal of Derivatives 1998).
 */
export function conditionalNormal(
  { mean, covariance }: Moments,
  places: readonly number[],
  values: readonly number[],
): Conditional | null {
  const set = places.length;
  const rest = Array.from(mean, (_, at) => at).filter((at) => !places.includes(at));
  const lower = lowerCholesky(covariance.selection([...places], [...places]));
  if (!lower) return null;
  const scaled = forwardSolve(
    lower,
    Float64Array.from(places, (place, at) => values[at]! - mean[place]!),
  );
  let distanceSquared = 0;
  for (const each of scaled) distanceSquared += each * each;
  const weights = backwardSolve(lower, Float64Array.from(scaled));
  const crossed = rest.map((i) =>
    forwardSolve(
      lower,
      Float64Array.from(places, (place) => covariance.get(i, place)),
    ),
  );
  const moved = Float64Array.from(rest, (i) => {
    let shift = 0;
    for (const [at, place] of places.entries()) shift += covariance.get(i, place) * weights[at]!;
    return mean[i]! + shift;
  });
  const reduced = matrixOf(rest.length, rest.length, (a, b) => {
    let explained = 0;
    for (let k = 0; k < set; k += 1) explained += crossed[a]![k]! * crossed[b]![k]!;
    return covariance.get(rest[a]!, rest[b]!) - explained;
  });
  return { rest, moments: { mean: moved, covariance: reduced }, distanceSquared };
}
