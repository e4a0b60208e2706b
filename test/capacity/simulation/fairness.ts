/**
 * Returns Jain's index of fairness: 1 if all values are equal, 1 / n if one of n has everything. 1 for no values.
 *
 * Source: Jain, Chiu, Hawe, "A Quantitative Measure of Fairness and Discrimination", DEC-TR-301, 1984, equation 1.
 *
 * @example
 * jainIndex([1, 1, 0, 0]); // 0.5
 */
export function jainIndex(values: readonly number[]): number {
  const sum = values.reduce((total, value) => total + value, 0);
  const squares = values.reduce((total, value) => total + value * value, 0);
  return squares === 0 ? 1 : (sum * sum) / (values.length * squares);
}

/**
 * Divides an amount by max-min fairness: nobody gets more than the demand, and what one does not need is divided among
 * the others in equal parts. The shares add up to the amount, or to the demands if these are smaller.
 *
 * Source: Bertsekas, Gallager, "Data Networks", 2nd edition, section 6.5.2 (progressive filling).
 *
 * @example
 * maxMinShares([1, 5, 5], 7); // [1, 3, 3]
 */
export function maxMinShares(demands: readonly number[], amount: number): number[] {
  const shares = demands.map(() => 0);
  const byDemand = demands.map((demand, at) => ({ demand, at })).sort((a, b) => a.demand - b.demand);
  let left = amount;
  for (const [place, { demand, at }] of byDemand.entries()) {
    shares[at] = Math.min(demand, left / (byDemand.length - place));
    left -= shares[at];
  }
  return shares;
}
