import { exp } from '../exponential.ts';
import { ln } from '../natural-log.ts';
import { logGamma } from './log-gamma.ts';

const TINY = 1e-300;
const STEPS_MAX = 10_000;

/**
 * Returns the upper regularised incomplete gamma function Q(a, x), the upper tail of the gamma distribution.
 *
 * Range: a > 0, x >= 0. Error: relative about 1e-14 times the size of a and x.
 * Errors: `RangeError` outside the range.
 * Source: Abramowitz and Stegun, series 6.5.29 below a + 1 and continued fraction 6.5.31 (Lentz's method) above.
 *
 * Example: `upperGamma(1, 2)` is exp(-2), 0.1353352832366127.
 */
export function upperGamma(a: number, x: number): number {
  if (!(a > 0 && x >= 0)) throw new RangeError(`the gamma function is not defined for ${a} at ${x}`);
  if (x === 0) return 1;
  if (x === Infinity) return 0;
  const front = exp(a * ln(x) - x - logGamma(a));
  return x < a + 1 ? 1 - front * series(a, x) : front * fraction(a, x);
}

function series(a: number, x: number): number {
  let term = 1 / a;
  let total = term;
  for (let k = 1; k <= STEPS_MAX && Math.abs(term) > Math.abs(total) * 1e-17; k += 1) {
    term *= x / (a + k);
    total += term;
  }
  return total;
}

function fraction(a: number, x: number): number {
  let b = x + 1 - a;
  let c = 1 / TINY;
  let d = 1 / b;
  let value = d;
  for (let k = 1; k <= STEPS_MAX; k += 1) {
    const numerator = -k * (k - a);
    b += 2;
    d = numerator * d + b;
    d = 1 / (Math.abs(d) < TINY ? TINY : d);
    c = b + numerator / c;
    if (Math.abs(c) < TINY) c = TINY;
    const step = d * c;
    value *= step;
    if (Math.abs(step - 1) < 1e-16) break;
  }
  return value;
}

/**
 * Returns the probability that a chi-square variable with `degrees` degrees of freedom is at least `x`; 1 at
 * and below 0.
 *
 * Example: `chiSquareTail(3.841458820694124, 1)` is 0.05.
 */
export function chiSquareTail(x: number, degrees: number): number {
  return x <= 0 ? 1 : upperGamma(degrees / 2, x / 2);
}
