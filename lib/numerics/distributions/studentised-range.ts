import { normalCdf } from '../normal-cdf.ts';
import { normalDensity } from '../normal-density.ts';

/** The density of the smallest value is below 1e-17 outside of this range. */
const BOUND = 8.5;
/** Intervals of Simpson's rule. The integrand is smooth, so the rule is exact to about 1e-12. */
const INTERVALS = 340;
const BISECTIONS = 60;
const LARGEST = 40;

/**
 * Returns the probability that the range of `count` independent standard normal values is above `q`: the upper tail of
 * the studentised range with infinitely many degrees of freedom. Absolute error at most 1e-10.
 *
 * Range: `count` an integer of 2 or more; every q. Errors: `RangeError` on another count.
 * Source: P(R <= q) = k integral of phi(z) (Phi(z + q) - Phi(z))^(k - 1) dz over the smallest value z (David and
 * Nagaraja, "Order Statistics" 2003, 2.3); Simpson's rule.
 *
 * Example: `normalRangeTail(3.314493, 3)` is about 0.05.
 */
export function normalRangeTail(q: number, count: number): number {
  if (!Number.isSafeInteger(count) || count < 2)
    throw new RangeError(`the range needs 2 or more values, got ${count}`);
  if (!(q > 0)) return 1;
  const step = (2 * BOUND) / INTERVALS;
  let total = 0;
  for (let at = 0; at <= INTERVALS; at += 1) {
    const z = -BOUND + at * step;
    const weight = at === 0 || at === INTERVALS ? 1 : at % 2 === 1 ? 4 : 2;
    total += weight * normalDensity(z) * power(between(z, z + q), count - 1);
  }
  return Math.max(0, Math.min(1, 1 - (count * total * step) / 3));
}

/**
 * Returns the value that the range of `count` standard normal values exceeds with probability `tail`, above 0 and below
 * 1. Example: `normalRangeQuantile(0.05, 3)` is 3.314493.
 */
export function normalRangeQuantile(tail: number, count: number): number {
  let [low, high] = [0, LARGEST];
  for (let round = 0; round < BISECTIONS; round += 1) {
    const middle = (low + high) / 2;
    if (normalRangeTail(middle, count) > tail) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Returns the probability of a value between `low` and `high`, without cancellation in the upper tail. */
function between(low: number, high: number): number {
  return low > 0 ? normalCdf(-low) - normalCdf(-high) : normalCdf(high) - normalCdf(low);
}

/** Returns a whole power by repeated multiplication, so that it is the same on every machine. */
function power(base: number, exponent: number): number {
  let result = 1;
  for (let at = 0; at < exponent; at += 1) result *= base;
  return result;
}
