import { QUANTILES } from '#lib/numerics/scenario/sample-statistics.ts';
import { countOf, intervalOf, quantileOf, type Ordered } from './ordered-figures.ts';
import type { PathStore } from './path-store.ts';

/**
 * Returns the distributions of the longest time and of the total time below an earlier level, in months,
 * from counts by number of months.
 */
export function spellFigures(stores: readonly PathStore[], n: number, horizon: number) {
  const { longestAt, belowAt } = stores[0]!.layout;
  const countsFrom = (at: number) =>
    Array.from({ length: horizon + 1 }, (_, months) => countOf(stores, at + months));
  return { longest: spreadOf(countsFrom(longestAt), n), total: spreadOf(countsFrom(belowAt), n) };
}

function spreadOf(counts: readonly number[], n: number) {
  const mean = counts.reduce((total, count, months) => total + count * months, 0) / n;
  const variance =
    counts.reduce((total, count, months) => total + count * (months - mean) * (months - mean), 0) / n;
  const ordered: Pick<Ordered, 'at'> = {
    at(rank) {
      let [below, months] = [0, 0];
      while (below + counts[months]! <= rank) below += counts[months++]!;
      return months;
    },
  };
  return {
    mean,
    mean_error: Math.sqrt(variance / n),
    quantiles: QUANTILES.map((p) => ({
      p,
      value: quantileOf(ordered, n, p),
      interval: intervalOf(ordered, n, p),
    })),
  };
}
