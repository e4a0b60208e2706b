/** The one-sided 95 % quantile of the normal distribution, rounded as in the published test. */
const CRITICAL = 1.645;
const CYCLES_MIN = 3;

/**
 * Whether a series is seasonal: |r_m| > 1.645 sqrt((1 + 2 sum_{i<m} r_i^2) / n), with r_i the autocorrelation at lag i.
 * False with fewer than 3 cycles, without a season (period 1), and for a constant series.
 *
 * Never throws.
 * Source: the test before the benchmarks of the M4 competition, by Bartlett's formula for the variance of r_m
 * (Fiorucci et al., International Journal of Forecasting 32 (2016) 1151-1161; 90 % two-sided).
 *
 * @example
 * isSeasonal(airPassengers, 12); // true
 */
export function isSeasonal(values: Float64Array, period: number): boolean {
  const n = values.length;
  if (period < 2 || n < CYCLES_MIN * period) return false;
  const r = autocorrelations(values, period);
  if (!r) return false;
  let squares = 0;
  for (let lag = 1; lag < period; lag += 1) squares += r[lag]! * r[lag]!;
  return Math.abs(r[period]!) > CRITICAL * Math.sqrt((1 + 2 * squares) / n);
}

/**
 * Returns the autocorrelations r_0 .. r_lags: sum (x_t - mean)(x_{t+i} - mean) / sum (x_t - mean)^2. Returns null for a
 * constant series. Source: Box and Jenkins, "Time Series Analysis" (1970), chapter 2.
 */
export function autocorrelations(values: Float64Array, lags: number): Float64Array | null {
  const n = values.length;
  let sum = 0;
  for (let t = 0; t < n; t += 1) sum += values[t]!;
  const mean = sum / n;
  const r = new Float64Array(lags + 1);
  for (let lag = 0; lag <= lags; lag += 1) {
    let products = 0;
    for (let t = lag; t < n; t += 1) products += (values[t]! - mean) * (values[t - lag]! - mean);
    r[lag] = products;
  }
  const variance = r[0]!;
  if (!(variance > 0)) return null;
  for (let lag = 0; lag <= lags; lag += 1) r[lag] = r[lag]! / variance;
  return r;
}
