export type Distances = {
  /**
   * Largest distance of the two distribution functions, times both sample sizes n and m. This product is an exact
   * integer, and D = steps / (n m).
   */
  steps: number;
  kolmogorovSmirnov: number;
  /**
   * Wasserstein distance: the mean distance by which values must be moved to turn one distribution into the other, in
   * the unit of the values.
   */
  wasserstein: number;
  /** Energy distance: sqrt(2 integral (F - G)^2), in the square root of the unit of the values. */
  energy: number;
};

/**
 * Computes distances of two empirical distributions in one pass over both.
 *
 * `reference` and `current` each ascend, hold no NaN, and have at least one value; -0 and 0 are one value. n m < 2^53.
 * Errors: `RangeError` without values.
 * Sources: Smirnov (1939); Vaserstein (1969), as the integral of |F - G|; Szekely and Rizzo, "Energy statistics"
 * (2013).
 *
 * Example: `distances([1, 2], [1.5, 2.5, 3.5])` has D 2/3 and Wasserstein 1.
 */
export function distances(reference: ArrayLike<number>, current: ArrayLike<number>): Distances {
  const n = reference.length;
  const m = current.length;
  if (n === 0 || m === 0) throw new RangeError('a distance needs at least one value in each sample');
  let [i, j, steps, area, squares] = [0, 0, 0, 0, 0];
  let at = Math.min(reference[0]!, current[0]!);
  while (i < n || j < m) {
    // The next value of a sample without remaining values is infinite.
    const before = i < n ? reference[i]! : Infinity;
    const after = j < m ? current[j]! : Infinity;
    const next = before < after ? before : after;
    if (next !== at) {
      const difference = Math.abs(i * m - j * n);
      if (difference > steps) steps = difference;
      const share = difference / (n * m);
      area += share * (next - at);
      squares += share * share * (next - at);
      at = next;
    }
    if (i < n && before <= after) i += 1;
    if (j < m && after <= before) j += 1;
  }
  return { steps, kolmogorovSmirnov: steps / (n * m), wasserstein: area, energy: Math.sqrt(2 * squares) };
}
