import { countBelow } from '../count-below.ts';
import { quantileSorted } from '../quantile.ts';

/**
 * Returns the decile edges of ascending values (type 7), with duplicates merged. A bin is (lo, hi]. The first bin has
 * no lower bound, and the last bin has no upper bound. Example: `decileEdges([0, 0, 0, 1])` is [0, 0.1, 0.4, 0.7] up to
 * rounding.
 */
export function decileEdges(ascending: ArrayLike<number>): Float64Array {
  const edges = new Set<number>();
  for (let tenth = 1; tenth <= 9; tenth += 1) edges.add(quantileSorted(ascending, tenth / 10) + 0);
  return Float64Array.from(edges);
}

/** Counts the ascending values in each bin of the edges. There is one more bin than there are edges. */
export function binCounts(ascending: ArrayLike<number>, edges: Float64Array): number[] {
  const counts: number[] = [];
  let before = 0;
  for (const edge of edges) {
    const at = countBelow(ascending, edge, { upTo: true });
    counts.push(at - before);
    before = at;
  }
  return [...counts, ascending.length - before];
}
