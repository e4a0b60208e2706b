/**
 * Returns the KPSS statistic of the hypothesis that the series is stationary around a level.
 *
 * The long-run variance has Bartlett weights up to lag `floor(3 sqrt(n) / 13)`. A constant series gives 0.
 * Source: Kwiatkowski, Phillips, Schmidt and Shin, "Testing the null hypothesis of stationarity against the alternative
 * of a unit root", Journal of Econometrics 54 (1992), equations 10 and 13; lag as in Hyndman and Khandakar (2008).
 */
export function kpssStatistic(values: Float64Array): number {
  const n = values.length;
  let mean = 0;
  for (const value of values) mean += value;
  mean /= n;
  let partial = 0;
  let cumulated = 0;
  for (const value of values) {
    partial += value - mean;
    cumulated += partial * partial;
  }
  const variance = longRunVariance(values, mean, Math.floor((3 * Math.sqrt(n)) / 13));
  return variance > 0 ? cumulated / n / n / variance : 0;
}

/**
 * The 5 % critical value of the KPSS statistic for a level, from table 1 of Kwiatkowski, Phillips, Schmidt and Shin
 * (1992).
 */
export const KPSS_CRITICAL = 0.463;

function longRunVariance(values: Float64Array, mean: number, lags: number): number {
  const n = values.length;
  let total = 0;
  for (let lag = 0; lag <= lags; lag++) {
    let covariance = 0;
    for (let t = lag; t < n; t++) covariance += (values[t]! - mean) * (values[t - lag]! - mean);
    total += (lag === 0 ? 1 : 2 * (1 - lag / (lags + 1))) * covariance;
  }
  return total / n;
}
