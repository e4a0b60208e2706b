import { exp } from '../exponential.ts';
import { ln } from '../natural-log.ts';
import { logGamma } from './log-gamma.ts';

const TINY = 1e-300;
const STEPS_MAX = 10_000;

/**
 * Returns the regularised incomplete beta function I_x(a, b), the distribution function of the beta distribution.
 *
 * Range: a, b > 0, x from 0 to 1. `complement` is 1 - x; pass it if x is so near 1 that 1 - x has no digits left.
 * Error: relative about 1e-14 times the size of a and b.
 * Errors: `RangeError` outside the range.
 * Source: the continued fraction of Abramowitz and Stegun 26.5.8 by Lentz's method, on the side where it converges.
 *
 * Example: `incompleteBeta(2, 3, 0.5)` is 0.6875.
 */
export function incompleteBeta(a: number, b: number, x: number, complement = 1 - x): number {
  if (!(a > 0 && b > 0 && x >= 0 && x <= 1))
    throw new RangeError(`the beta function is not defined for ${a}, ${b} at ${x}`);
  if (x === 0 || complement === 0) return x === 0 ? 0 : 1;
  const front = exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * ln(x) + b * ln(complement));
  if (x <= (a + 1) / (a + b + 2)) return (front * fraction(a, b, x)) / a;
  return 1 - (front * fraction(b, a, complement)) / b;
}

function fraction(a: number, b: number, x: number): number {
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let value = d;
  for (let m = 1; m <= STEPS_MAX; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    value *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    const step = d * c;
    value *= step;
    if (Math.abs(step - 1) < 1e-16) break;
  }
  return value;
}

function away(value: number): number {
  return Math.abs(value) < TINY ? TINY : value;
}
