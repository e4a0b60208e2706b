import { exp } from './exponential.ts';
import { ln } from './natural-log.ts';

/**
 * Returns `exp(x) - 1` without the loss of digits near 0, with the same bits on every platform.
 *
 * Range: every double. NaN gives NaN, below -37.5 the result is -1, above 709.78 Infinity, `expMinusOne(0)` is 0.
 * Error: a few units in the last place (see the tests). Plain `exp(x) - 1` keeps no digit of x = 1e-16.
 * Never throws.
 * Source: Kahan's (u - 1) x / ln u with u = exp(x), in Higham, "Accuracy and Stability of Numerical Algorithms" (2002),
 * section 1.14.1: the errors of numerator and denominator cancel.
 *
 * @example
 * expMinusOne(1e-10); // 1.00000000005e-10
 */
export function expMinusOne(x: number): number {
  const u = exp(x);
  if (u === 1) return x;
  const difference = u - 1;
  if (difference === -1 || u === Infinity) return difference;
  return (difference * x) / ln(u);
}
