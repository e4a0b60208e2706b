export type SeasonKind = 'additive' | 'multiplicative';

/**
 * Computes seasonal indices by classical decomposition; the first index belongs to the first value. Subtracts the
 * centred moving average over a season (2 x m if m is even) from each value, or divides the value by it. Averages the
 * results for each position in the season and centres the averages at 0 (multiplicative: at 1). Returns null for fewer
 * than two cycles, or if a multiplicative index is undefined (a moving average of 0, or indices that do not sum to a
 * positive number).
 *
 * values: n values in order. Never throws.
 * Source: Kendall and Stuart, "The Advanced Theory of Statistics", vol. 3 (1983), 410-414; the form of M4's benchmarks.
 *
 * @example
 * seasonalIndices(Float64Array.of(1, 3, 1, 3, 1, 3), 2, 'multiplicative'); // [0.5, 1.5]
 */
export function seasonalIndices(values: Float64Array, period: number, kind: SeasonKind): Float64Array | null {
  if (period < 2 || values.length < 2 * period) return null;
  const trend = centredAverage(values, period);
  const first = Math.floor(period / 2);
  const sums = new Float64Array(period);
  const counts = new Float64Array(period);
  for (let t = first; t < values.length - first; t += 1) {
    const place = t % period;
    sums[place] = sums[place]! + (kind === 'additive' ? values[t]! - trend[t]! : values[t]! / trend[t]!);
    counts[place] = counts[place]! + 1;
  }
  return centred(sums, counts, kind);
}

/** Returns the moving average over `period` values around each value; 0 at the ends, where the window does not fit. */
export function centredAverage(values: Float64Array, period: number): Float64Array {
  const n = values.length;
  const average = new Float64Array(n);
  const half = Math.floor(period / 2);
  const isEven = period % 2 === 0;
  for (let t = half; t < n - half; t += 1) {
    let sum = isEven ? 0.5 * (values[t - half]! + values[t + half]!) : values[t - half]! + values[t + half]!;
    for (let i = t - half + 1; i < t + half; i += 1) sum += values[i]!;
    average[t] = sum / period;
  }
  return average;
}

function centred(sums: Float64Array, counts: Float64Array, kind: SeasonKind): Float64Array | null {
  const period = sums.length;
  let total = 0;
  for (let place = 0; place < period; place += 1) {
    sums[place] = sums[place]! / counts[place]!;
    total += sums[place]!;
  }
  const mean = total / period;
  if (!Number.isFinite(mean) || (kind === 'multiplicative' && !(mean > 0))) return null;
  for (let place = 0; place < period; place += 1)
    sums[place] = kind === 'additive' ? sums[place]! - mean : sums[place]! / mean;
  return sums;
}
