/** A security as a factor model sees it. */
export type FactorView = {
  /** The exposure to each factor, in the order of the covariance. */
  exposures: readonly number[];
  /** The variance of the return that no factor explains, in the unit of the covariance. */
  specificVariance: number;
};

/**
 * Returns the variance of the difference between the returns of two securities: d' F d + s1 + s2 with d the difference
 * of their exposures, F the covariance of the factors (k by k, symmetric) and s their specific variances. Sums run in
 * the order of the factors. Throws a `RangeError` where the sizes differ, or a number is not finite.
 *
 * Source: R. Grinold and R. Kahn, "Active Portfolio Management", 2nd edition, chapter 3, the structural risk model.
 * Example: exposures 1 and 0.5 to a factor of variance 0.04, specific variances 0.01 and 0.02 give 0.04.
 */
export function trackingVariance(
  one: FactorView,
  other: FactorView,
  covariance: readonly (readonly number[])[],
): number {
  const size = covariance.length;
  if (one.exposures.length !== size || other.exposures.length !== size)
    throw new RangeError(`exposures do not have the ${size} factors of the covariance`);
  const difference = one.exposures.map((exposure, at) => exposure - other.exposures[at]!);
  let variance = 0;
  for (let row = 0; row < size; row += 1) {
    if (covariance[row]!.length !== size) throw new RangeError('the covariance is not square');
    let sum = 0;
    for (let column = 0; column < size; column += 1) sum += covariance[row]![column]! * difference[column]!;
    variance += difference[row]! * sum;
  }
  const total = variance + one.specificVariance + other.specificVariance;
  if (!Number.isFinite(total)) throw new RangeError('an exposure or a variance is not finite');
  return Math.max(total, 0);
}
