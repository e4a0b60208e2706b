import { exp } from './exponential.ts';

const ONE_OVER_SQRT_2PI = 0.39894228040143267794;

/**
 * Returns the density of the standard normal distribution at `x`, from exactly specified operations only.
 *
 * Range: every double; NaN gives NaN, beyond 38.6 the result is 0.
 * Error: relative about x^2 2^-54 and a few units in the last place, because the square is rounded.
 * Never throws.
 * Source: Abramowitz and Stegun, 26.2.1.
 *
 * @example
 * normalDensity(0); // 0.3989422804014327
 */
export function normalDensity(x: number): number {
  return ONE_OVER_SQRT_2PI * exp(-0.5 * x * x);
}
