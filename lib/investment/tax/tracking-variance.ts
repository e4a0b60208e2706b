/** The factor exposures and the specific variance of a security in a factor model. */
export type FactorView = {
  /** The exposure to each factor, in the order of the covariance. */
  exposures: readonly number[];
  /**
   * The variance of the part of the return that the factors do not explain, in the unit of the covariance.
   */
  specificVariance: number;
};

/**
 * Returns the variance of the difference between the returns of two securities: d' F d + s1 + s2. d is the
 * difference of their exposures, F the covariance matrix of the factors (k-by-k, symmetric), and s1 and s2
 * are their specific variances. Sums run in the order of the factors. Throws a `RangeError` if the sizes
 * differ, or if a number is not finite.
 *
 * Source: R. Grinold and R. Kahn, "Active Portfolio Management", 2nd edition, chapter 3, the structural risk
 * model. Example: exposures 1 and 0.5 to a factor of variance 0.04, specific variances 0.01 and 0.02 give
 * 0.04.
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
