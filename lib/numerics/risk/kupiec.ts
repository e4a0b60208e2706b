import { chiSquareTail } from '../distributions/incomplete-gamma.ts';
import { ln } from '../natural-log.ts';

/** A likelihood ratio statistic and its p-value from the chi-square distribution. */
export type LikelihoodRatio = { statistic: number; p: number };

/**
 * Tests whether the frequency of exceptions matches the level of a value at risk (unconditional coverage, one
 * degree of freedom).
 *
 * `exceptions` of `count` periods, integers; `level`: confidence level of the value at risk. Throws a
 * `RangeError` without periods, with more exceptions than periods, and on a level outside (0, 1).
 * Source: Kupiec, "Techniques for Verifying the Accuracy of Risk Measurement Models" (1995).
 *
 * Example: 3 exceptions in 250 periods at level 0.99 give a statistic of 0.0949 and p = 0.758.
 */
export function kupiec(exceptions: number, count: number, level: number): LikelihoodRatio {
  if (!(level > 0 && level < 1)) throw new RangeError(`not a confidence level: ${level}`);
  if (!(count >= 1 && exceptions >= 0 && exceptions <= count))
    throw new RangeError(`${exceptions} exceptions in ${count} periods cannot be tested`);
  const found = bernoulli(exceptions, count, exceptions / count);
  const statistic = Math.max(0, 2 * (found - bernoulli(exceptions, count, 1 - level)));
  return { statistic, p: chiSquareTail(statistic, 1) };
}

/** Returns the log-likelihood of `hits` in `count` trials with the probability `p`; 0 ln 0 counts as 0. */
export function bernoulli(hits: number, count: number, p: number): number {
  const misses = count - hits;
  return (hits === 0 ? 0 : hits * ln(p)) + (misses === 0 ? 0 : misses * ln(1 - p));
}
