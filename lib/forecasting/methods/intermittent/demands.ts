/**
 * The demands of an intermittent series: their sizes, and the number of periods up to each demand since the previous
 * one.
 */
export type Demands = { sizes: Float64Array; intervals: Float64Array };

/**
 * Splits a series into demands (non-zero values) and the intervals between them. The first interval is counted from the
 * beginning of the series.
 */
export function demandsOf(values: Float64Array): Demands {
  const sizes: number[] = [];
  const intervals: number[] = [];
  let since = 0;
  for (const value of values) {
    since += 1;
    if (value === 0) continue;
    sizes.push(value);
    intervals.push(since);
    since = 0;
  }
  return { sizes: Float64Array.from(sizes), intervals: Float64Array.from(intervals) };
}

/** Smallest share of zeros from which a series counts as intermittent. */
const ZEROS_MIN = 0.3;

/** Whether a series has no negative value, at least two demands, and at least 30 % zeros. */
export function isIntermittent(values: Float64Array): boolean {
  let zeros = 0;
  for (const value of values) {
    if (value < 0) return false;
    if (value === 0) zeros += 1;
  }
  return values.length - zeros >= 2 && zeros >= ZEROS_MIN * values.length;
}
