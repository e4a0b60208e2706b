/** The smallest number of months from which a variance is estimated. */
const MONTHS_MIN = 12;

/**
 * Returns the sample variance (ddof 1) of the weighted sum of monthly returns, over the months in which each weighted
 * symbol has a return. `weights` has a weight by symbol, and `returns` the simple monthly returns over the same months.
 * Sums run in the order of the months. Returns null with fewer than 12 such months, and 0 without weights.
 *
 * Example: the weights 1 and -1 give the variance of the difference between the returns of two securities.
 */
export function returnVariance(
  weights: ReadonlyMap<string, number>,
  returns: Readonly<Record<string, readonly (number | null)[]>>,
): number | null {
  if (weights.size === 0) return 0;
  const series = [...weights].map(([symbol, weight]) => ({ weight, own: returns[symbol] ?? [] }));
  const months = Math.max(...series.map(({ own }) => own.length));
  const sums: number[] = [];
  for (let month = 0; month < months; month += 1) {
    if (series.some(({ own }) => own[month] == null)) continue;
    sums.push(series.reduce((sum, { weight, own }) => sum + weight * own[month]!, 0));
  }
  if (sums.length < MONTHS_MIN) return null;
  const mean = sums.reduce((sum, each) => sum + each, 0) / sums.length;
  return sums.reduce((sum, each) => sum + (each - mean) * (each - mean), 0) / (sums.length - 1);
}
