import { powerOfTwo } from '../power-of-two.ts';
import { incompleteBeta } from '../distributions/incomplete-beta.ts';

/** The largest sample whose coverage is computed from integers. */
const EXACT_MAX = 1_000;

/** The order statistics that enclose a median: the ranks `rank` and n + 1 - `rank`, counted from 1. */
export type MedianRank = { rank: number; coverage: number };

/**
 * Returns the largest rank k such that the order statistics k and n + 1 - k enclose the median of a continuous
 * distribution with at least the probability `level`. Returns null if even the smallest and the largest value do not
 * reach this probability; at 95 %, this is the case for fewer than 6 values.
 *
 * Range: n a whole number from 0. The coverage is 1 - 2 P(B < k) with B binomial (n, 1/2). For up to 1,000 values the
 * coverage is correctly rounded; for more values it comes from the incomplete beta function. Source: David and
 * Nagaraja, "Order Statistics" (2003), section 7.1.
 *
 * Example: `medianRank(12)` is rank 3 with the coverage 0.96142578125.
 */
export function medianRank(n: number, level = 0.95): MedianRank | null {
  if (!Number.isSafeInteger(n) || n < 0) throw new RangeError(`not a sample size: ${n}`);
  const coverageOf = n <= EXACT_MAX ? exactCoverages(n) : (rank: number) => 1 - 2 * lowerTail(n, rank);
  let [low, high] = [0, Math.floor((n + 1) / 2)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (coverageOf(middle) >= level) low = middle;
    else high = middle - 1;
  }
  return low === 0 ? null : { rank: low, coverage: coverageOf(low) };
}

/** Returns P(B < rank) with B binomial (n, 1/2). */
function lowerTail(n: number, rank: number): number {
  return incompleteBeta(n - rank + 1, rank, 0.5);
}

function exactCoverages(n: number): (rank: number) => number {
  const half = Math.floor((n + 1) / 2);
  const below = [0n];
  let choices = 1n;
  for (let k = 0; k < half; k += 1) {
    below.push(below[k]! + choices);
    choices = (choices * BigInt(n - k)) / BigInt(k + 1);
  }
  return (rank) => ratio((1n << BigInt(n)) - 2n * below[rank]!, n);
}

/** Returns numerator / 2^n as the nearest double. */
function ratio(numerator: bigint, n: number): number {
  const spare = Math.max(0, numerator.toString(2).length - 64);
  const scaled = Number(numerator >> BigInt(spare)) * powerOfTwo(spare - Math.floor(n / 2));
  return scaled / powerOfTwo(Math.ceil(n / 2));
}
