import { centredAverage, seasonalIndices, type SeasonKind } from './classical-decomposition.ts';

/**
 * Returns seasonal indices shrunk towards no season, according to the estimated variance of the indices. The factor is
 * 1 - (m - 3) v / sum (s_i - c)^2, at least 0. v is the mean variance of an index (from the deviations of single values
 * from their index), c is 0 or 1, and m - 3 is at least 1. Returns null in the same cases as `seasonalIndices`.
 *
 * Never throws.
 * Source: Miller and Williams, "Shrinkage estimators of time series seasonal factors and their effect on forecasting
 * accuracy", International Journal of Forecasting 19 (2003) 669-684, the estimator of James and Stein.
 */
export function shrunkIndices(values: Float64Array, period: number, kind: SeasonKind): Float64Array | null {
  const indices = seasonalIndices(values, period, kind);
  if (!indices) return null;
  const neutral = kind === 'additive' ? 0 : 1;
  const variance = varianceOfIndex(values, indices, kind);
  let spread = 0;
  for (let place = 0; place < period; place += 1)
    spread += (indices[place]! - neutral) * (indices[place]! - neutral);
  const noise = Math.max(1, period - 3) * variance;
  const factor = noise < spread ? 1 - noise / spread : 0;
  return indices.map((index) => neutral + factor * (index - neutral));
}

function varianceOfIndex(values: Float64Array, indices: Float64Array, kind: SeasonKind): number {
  const period = indices.length;
  const trend = centredAverage(values, period);
  const first = Math.floor(period / 2);
  let squares = 0;
  for (let t = first; t < values.length - first; t += 1) {
    const rest = kind === 'additive' ? values[t]! - trend[t]! : values[t]! / trend[t]!;
    const departure = rest - indices[t % period]!;
    squares += departure * departure;
  }
  const count = values.length - 2 * first;
  return ((squares / Math.max(1, count - period + 1)) * period) / count;
}
