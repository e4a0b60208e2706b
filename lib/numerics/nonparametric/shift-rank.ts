import { normalQuantile } from '../normal-quantile.ts';

/** The largest size of each sample for which the distribution of the rank sum is counted. */
const COUNTED_MAX = 50;

/** The ranks of the pairwise differences that enclose a shift: `rank` and pairs + 1 - `rank`, counted from 1. */
export type ShiftRank = { rank: number; method: 'exact' | 'normal_approximation' };

/**
 * Returns the largest rank k such that the k-th smallest and the k-th largest of the first * second pairwise
 * differences of two samples enclose the shift between their distributions with at least the probability `level`.
 * Returns null if the samples are too small for that.
 *
 * If both samples have at most 50 values, the distribution of the Mann-Whitney statistic is counted. Otherwise, the
 * rank comes from the normal approximation of the statistic, rounded down. Ties make the interval wider, never
 * narrower. Source: Hollander, Wolfe and Chicken, "Nonparametric Statistical Methods" (2014), sections 4.1 and 4.3.
 *
 * Example: `shiftRank(6, 6)` is rank 6.
 */
export function shiftRank(first: number, second: number, level = 0.95): ShiftRank | null {
  const tail = (1 - level) / 2;
  const isCounted = Math.max(first, second) <= COUNTED_MAX;
  const rank = isCounted ? countedRank(first, second, tail) : approximateRank(first, second, tail);
  return rank < 1 ? null : { rank, method: isCounted ? 'exact' : 'normal_approximation' };
}

/** Returns the number of values u from 0 on whose cumulative probability is at most the tail. */
function countedRank(first: number, second: number, tail: number): number {
  const counts = statisticCounts(first, second);
  let total = 1; // binomial coefficient of first + second over first
  for (let at = 1; at <= first; at += 1) total = (total * (second + at)) / at;
  let rank = 0;
  for (let sum = counts[0]!; rank < counts.length && sum <= tail * total; sum += counts[rank]!) rank += 1;
  return rank;
}

function approximateRank(first: number, second: number, tail: number): number {
  const pairs = first * second;
  const deviation = Math.sqrt((pairs * (first + second + 1)) / 12);
  return Math.floor(pairs / 2 + normalQuantile(tail) * deviation);
}

/**
 * Returns how many arrangements of two samples have each value of the Mann-Whitney statistic, from 0 to half of the
 * pairs. Counts above 2^53 are rounded.
 */
function statisticCounts(first: number, second: number): Float64Array {
  const size = Math.floor((first * second) / 2) + 1;
  const counts = Array.from({ length: first + 1 }, () => {
    const row = new Float64Array(size);
    row[0] = 1;
    return row;
  });
  for (let j = 1; j <= second; j += 1) {
    for (let i = 1; i <= first; i += 1) {
      const [fewer, row] = [counts[i - 1]!, counts[i]!];
      for (let u = j; u < size; u += 1) row[u]! += fewer[u - j]!;
    }
  }
  return counts[first]!;
}
