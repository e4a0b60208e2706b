/**
 * Returns the thresholds between the bins of a column. If the column has at most as many distinct values as bins, the
 * thresholds are halfway between neighbouring values. Otherwise the thresholds are the quantiles at equal steps; each
 * is halfway between the two values that enclose the quantile.
 *
 * Errors: `RangeError` on fewer than two bins. A column with one distinct value has no thresholds.
 * Source: Ke and others, "LightGBM" (2017), as binned by `HistGradientBoostingRegressor` of scikit-learn.
 *
 * Example: [1, 2, 4] in 8 bins has the thresholds [1.5, 3].
 */
export function binThresholds(values: Float64Array, bins: number): Float64Array {
  if (!Number.isSafeInteger(bins) || bins < 2) throw new RangeError(`not a number of bins: ${bins}`);
  const sorted = Float64Array.from(values).sort();
  const distinct = sorted.filter((value, at) => at === 0 || value !== sorted[at - 1]);
  if (distinct.length <= bins) return halfway(distinct);
  const thresholds = new Float64Array(bins - 1);
  for (let bin = 1; bin < bins; bin += 1) {
    const reached = bin * (sorted.length - 1);
    const below = Math.floor(reached / bins);
    const above = reached % bins === 0 ? below : below + 1;
    thresholds[bin - 1] = (sorted[below]! + sorted[above]!) / 2;
  }
  return thresholds;
}

/**
 * Returns the bin of a value: the number of thresholds below it. Example: with the thresholds [1.5, 3], the bin of 2 is
 * 1, and the bin of 1.5 is 0.
 */
export function binOf(value: number, thresholds: Float64Array): number {
  let [low, high] = [0, thresholds.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (thresholds[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function halfway(distinct: Float64Array): Float64Array {
  return Float64Array.from(distinct.subarray(1), (value, at) => (distinct[at]! + value) / 2);
}
