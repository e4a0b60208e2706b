import { sum } from './descriptive.ts';

export type Correction = 'bonferroni' | 'holm' | 'benjamini_hochberg' | 'benjamini_yekutieli';

/**
 * Adjusts the p-values of several tests. A test is significant at a level if its adjusted p-value is at most that
 * level. `bonferroni` and `holm` bound the probability of any false positive. `benjamini_hochberg` bounds the false
 * discovery rate for independent tests, `benjamini_yekutieli` for any tests. The result has the order of `p`. NaN stays
 * NaN and does not count as a test. Sources: Holm (1979); Benjamini and Hochberg (1995); Benjamini and Yekutieli
 * (2001).
 *
 * Example: `adjustedP([0.01, 0.04, 0.03], 'holm')` is [0.03, 0.06, 0.06].
 */
export function adjustedP(p: ArrayLike<number>, correction: Correction): Float64Array {
  const places = Array.from({ length: p.length }, (_, place) => place)
    .filter((place) => !Number.isNaN(p[place]!))
    .sort((one, other) => p[one]! - p[other]! || one - other);
  const tests = places.length;
  const adjusted = new Float64Array(p.length).fill(Number.NaN);
  if (correction === 'bonferroni') {
    for (const place of places) adjusted[place] = Math.min(1, tests * p[place]!);
  } else if (correction === 'holm') {
    let largest = 0;
    for (const [rank, place] of places.entries()) {
      largest = Math.max(largest, Math.min(1, (tests - rank) * p[place]!));
      adjusted[place] = largest;
    }
  } else {
    const dependence =
      correction === 'benjamini_yekutieli' ? sum(places.map((_, rank) => 1 / (rank + 1))) : 1;
    let smallest = 1;
    for (let rank = tests - 1; rank >= 0; rank -= 1) {
      const place = places[rank]!;
      smallest = Math.min(smallest, (dependence * tests * p[place]!) / (rank + 1));
      adjusted[place] = smallest;
    }
  }
  return adjusted;
}
