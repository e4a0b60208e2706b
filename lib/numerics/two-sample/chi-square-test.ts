import { sum } from '../descriptive.ts';
import { chiSquareTail } from '../distributions/incomplete-gamma.ts';

export type ChiSquareTest = {
  statistic: number;
  degrees: number;
  p: number;
  /** The smallest expected count of a bin. If this count is below 5, the p-value is not reliable. */
  expectedMin: number;
};

/**
 * Runs the chi-square test of homogeneity on two lists of counts of the same bins, without correction. Bins that are
 * empty on both sides are left out. If only one bin is left, nothing can be tested, and p is 1.
 *
 * Errors: `RangeError` without counts. Source: Pearson (1900). Example: for [1, 0] and [0, 1] the statistic is 2 with 1
 * degree of freedom.
 */
export function chiSquareTest(reference: readonly number[], current: readonly number[]): ChiSquareTest {
  const [n, m] = [sum(reference), sum(current)];
  if (n === 0 || m === 0) throw new RangeError('a test needs at least one count in each sample');
  let [statistic, bins, expectedMin] = [0, 0, Infinity];
  for (let bin = 0; bin < reference.length; bin += 1) {
    const both = reference[bin]! + current[bin]!;
    if (both === 0) continue;
    bins += 1;
    for (const [count, size] of [
      [reference[bin]!, n],
      [current[bin]!, m],
    ] as const) {
      const expected = (both * size) / (n + m);
      expectedMin = Math.min(expectedMin, expected);
      statistic += ((count - expected) * (count - expected)) / expected;
    }
  }
  const degrees = bins - 1;
  return { statistic, degrees, p: degrees === 0 ? 1 : chiSquareTail(statistic, degrees), expectedMin };
}
