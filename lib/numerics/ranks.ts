/**
 * Ranks from 1, where equal values share the mean of the ranks that they take. The method of the Spearman correlation.
 * `values` are left as they are. Throws a `RangeError` on NaN. Source: Kendall, "The Treatment of Ties in Ranking
 * Problems" (Biometrika 1945), mid-ranks; scipy's `rankdata(method='average')`.
 *
 * Example: `averageRanks([10, 30, 20, 20])` is 1, 4, 2.5, 2.5.
 */
export function averageRanks(values: ArrayLike<number>): Float64Array {
  const n = values.length;
  const ascending = Float64Array.from(values).sort();
  // NaN sorts to the end, so one look finds it.
  if (n > 0 && Number.isNaN(ascending[n - 1])) throw new RangeError('NaN has no rank');
  const order = Uint32Array.from({ length: n }, (_, at) => at).sort(
    (one, other) => values[one]! - values[other]!,
  );
  const ranks = new Float64Array(n);
  for (let start = 0; start < n;) {
    let end = start + 1;
    while (end < n && values[order[end]!] === values[order[start]!]) end += 1;
    for (let at = start; at < end; at += 1) ranks[order[at]!] = (start + 1 + end) / 2;
    start = end;
  }
  return ranks;
}
