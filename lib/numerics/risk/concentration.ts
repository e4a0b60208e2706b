/** Concentration of positions by size. A share is the size of a position divided by the sum of all sizes. */
export type Concentration = {
  /** Herfindahl-Hirschman index: the sum of squared shares, from 1/n to 1. */
  hhi: number;
  /** 1 / hhi: the number of equal positions with the same index. */
  effective: number;
  /** Sum of the ten largest shares. */
  top10: number;
};

/**
 * Returns the concentration of positions.
 *
 * `sizes`: n amounts in one unit; signs are ignored. Returns null if all are 0. Sums run from the largest to
 * the smallest, so the order of the positions changes no bit.
 * Source: Hirschman, "National Power and the Structure of Foreign Trade" (1945).
 *
 * Example: for [50, 50], the result is `{ hhi: 0.5, effective: 2, top10: 1 }`.
 */
export function concentration(sizes: ArrayLike<number>): Concentration | null {
  const descending = Float64Array.from(sizes, Math.abs).sort().reverse();
  let total = 0;
  for (const size of descending) total += size;
  if (!(total > 0)) return null;
  let [hhi, top10] = [0, 0];
  for (const [place, size] of descending.entries()) {
    const share = size / total;
    hhi += share * share;
    if (place < 10) top10 += share;
  }
  return { hhi, effective: 1 / hhi, top10: Math.min(1, top10) };
}
