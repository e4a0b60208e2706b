import { incompleteBeta } from './incomplete-beta.ts';

/**
 * Returns the probability that a Student t variable with `degrees` degrees of freedom is above `t`.
 *
 * Range: every t; degrees above 0, not only integers.
 * Errors: `RangeError` on degrees that are not above 0.
 * Source: Abramowitz and Stegun 26.7.1, as an incomplete beta function of degrees / (degrees + t^2).
 *
 * Example: `studentTail(2.2281388519862735, 10)` is 0.025.
 */
export function studentTail(t: number, degrees: number): number {
  const squared = t * t;
  const half =
    squared === Infinity
      ? 0
      : 0.5 * incompleteBeta(degrees / 2, 0.5, degrees / (degrees + squared), squared / (degrees + squared));
  return t >= 0 ? half : 1 - half;
}

/**
 * Returns the two-sided probability that the absolute value of a Student t variable is at least |t|. Example:
 * `studentTwoSided(-2.2281388519862735, 10)` is 0.05.
 */
export function studentTwoSided(t: number, degrees: number): number {
  return 2 * studentTail(Math.abs(t), degrees);
}

/**
 * Returns the probability that an F variable with `numerator` and `denominator` degrees of freedom is above
 * `f`.
 * Source: Abramowitz and Stegun 26.6.2. Example: `fisherTail(4.964602743730711, 1, 10)` is 0.05.
 */
export function fisherTail(f: number, numerator: number, denominator: number): number {
  if (f <= 0) return 1;
  const whole = denominator + numerator * f;
  return incompleteBeta(denominator / 2, numerator / 2, denominator / whole, (numerator * f) / whole);
}
