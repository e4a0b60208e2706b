import { averageRanks } from '../average-ranks.ts';
import { normalCdf } from '../normal-cdf.ts';

/**
 * Returns the Mann-Whitney U of the reference and its two-sided p-value by the normal limit, with the corrections for
 * ties and for continuity. If all values are equal, p is 1.
 *
 * Errors: `RangeError` without values. Source: Mann and Whitney (1947); Kendall's correction for ties.
 *
 * Example: for [1, 2] against [1.5, 2.5, 3.5] U is 1 and p 0.3864762307712327.
 */
export function mannWhitney(
  reference: ArrayLike<number>,
  current: ArrayLike<number>,
): { u: number; p: number } {
  const n = reference.length;
  const m = current.length;
  if (n === 0 || m === 0) throw new RangeError('a test needs at least one value in each sample');
  const ranks = averageRanks([...Array.from(reference), ...Array.from(current)]);
  let ofReference = 0;
  for (let at = 0; at < n; at += 1) ofReference += ranks[at]!;
  const u = ofReference - (n * (n + 1)) / 2;
  const size = n + m;
  const spread = Math.sqrt(((n * m) / 12) * (size + 1 - tieSum(ranks) / (size * (size - 1))));
  if (!(spread > 0)) return { u, p: 1 };
  const z = (Math.max(u, n * m - u) - (n * m) / 2 - 0.5) / spread;
  return { u, p: Math.min(1, 2 * normalCdf(-z)) };
}

/** Returns the sum of t^3 - t over the groups of t equal ranks. */
function tieSum(ranks: Float64Array): number {
  const sorted = Float64Array.from(ranks).sort();
  let total = 0;
  for (let first = 0; first < sorted.length;) {
    let last = first;
    while (last < sorted.length && sorted[last] === sorted[first]) last += 1;
    const t = last - first;
    total += t * t * t - t;
    first = last;
  }
  return total;
}
