import { logChoose } from '../distributions/log-gamma.ts';
import { exp } from '../exponential.ts';

/**
 * Two tables whose probabilities have at most this ratio count as equally likely. Such probabilities differ only by
 * rounding.
 */
const AS_LIKELY = 1 + 1e-7;

/**
 * Returns the two-sided exact p-value of two shares: the probability, given both totals, of all tables that are at most
 * as likely as the observed table. `a` of `n` values on one side and `b` of `m` values on the other side have a
 * property, such as being missing.
 *
 * Errors: `RangeError` if `a` is above `n`, or if `b` is above `m`. Source: Fisher, "Statistical Methods for Research
 * Workers" (1934), 21.02.
 *
 * Example: `fisherExact({ a: 3, n: 4, b: 1, m: 4 })` is 0.4857142857142858.
 */
export function fisherExact({ a, n, b, m }: { a: number; n: number; b: number; m: number }): number {
  if (a > n || b > m || a < 0 || b < 0)
    throw new RangeError(`the counts are not valid: ${a} of ${n} and ${b} of ${m}`);
  const both = a + b;
  const all = logChoose(n + m, both);
  const chance = (k: number) => exp(logChoose(n, k) + logChoose(m, both - k) - all);
  const observed = chance(a) * AS_LIKELY;
  let p = 0;
  for (let k = Math.max(0, both - m); k <= Math.min(n, both); k += 1) {
    const of = chance(k);
    if (of <= observed) p += of;
  }
  return Math.min(1, p);
}
