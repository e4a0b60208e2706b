import { mean } from './descriptive.ts';

/**
 * Returns the number of lags for T observations: floor(4 (T / 100)^(2/9)), the rule of Newey and West, "Automatic Lag
 * Selection in Covariance Matrix Estimation" (1994). The numbers of observations at which the result increases are
 * stored in a table, because powers differ in the last bits between platforms. Valid up to T = 620, the last T with 5
 * lags; throws a `RangeError` for a greater T.
 *
 * Example: `neweyWestLags(60)` is 3.
 */
export function neweyWestLags(observations: number): number {
  if (observations > 620) throw new RangeError(`the table of lags ends at 620 observations: ${observations}`);
  if (observations < 28) return 2;
  if (observations < 100) return 3;
  return observations < 273 ? 4 : 5;
}

/**
 * Returns the long-run variance of the mean of an autocorrelated series: (g_0 + 2 sum w_l g_l) / T with Bartlett
 * weights w_l = 1 - l / (L + 1) and autocovariances g_l divided by T. The unit is the square of the values' unit.
 *
 * `lags` beyond the length of the series add nothing. Throws a `RangeError` without values.
 * Source: Newey and West, "A Simple, Positive Semi-Definite, Heteroskedasticity and Autocorrelation Consistent
 * Covariance Matrix" (Econometrica 1987), equation 5.
 *
 * Example: `neweyWestVariance([1, 2, 3, 4], 1)` is 0.390625.
 */
export function neweyWestVariance(values: ArrayLike<number>, lags: number): number {
  const centre = mean(values);
  const length = values.length;
  let longRun = 0;
  for (let lag = 0; lag <= lags; lag += 1) {
    let products = 0;
    for (let t = lag; t < length; t += 1) products += (values[t]! - centre) * (values[t - lag]! - centre);
    const autocovariance = products / length;
    longRun += lag === 0 ? autocovariance : 2 * (1 - lag / (lags + 1)) * autocovariance;
  }
  return longRun / length;
}
