/**
 * Forecast errors as the M4 competition defines them. `actual` and `forecast` (or the bounds) have one element for
 * each period of the horizon, in the same unit. Source: Makridakis, Spiliotis and Assimakopoulos, "The M4 Competition:
 * 100,000 time series and 61 forecasting methods", International Journal of Forecasting 36 (2020), section 2.
 */

/**
 * Returns the mean of |y - f|, in the unit of the values. Returns NaN without values. Example: [1, 3] and [2, 5] give
 * 1.5.
 */
export function meanAbsoluteError(actual: ArrayLike<number>, forecast: ArrayLike<number>): number {
  let total = 0;
  for (let i = 0; i < actual.length; i += 1) total += Math.abs(actual[i]! - forecast[i]!);
  return total / actual.length;
}

/**
 * Returns sMAPE: the mean of 200 |y - f| / (|y| + |f|), from 0 to 200. A period with y = f = 0 counts as 0.
 * Returns NaN without values. Example: [100, 100] and [100, 300] give 50.
 */
export function smape(actual: ArrayLike<number>, forecast: ArrayLike<number>): number {
  let total = 0;
  for (let i = 0; i < actual.length; i += 1) {
    const size = Math.abs(actual[i]!) + Math.abs(forecast[i]!);
    if (size > 0) total += (200 * Math.abs(actual[i]! - forecast[i]!)) / size;
  }
  return total / actual.length;
}

/**
 * Returns the scale of MASE and MSIS: the mean of |x_t - x_(t-m)| over the history, in its unit. `period` is m. If the
 * history is not longer than a period, m is 1. Returns 0 for a constant history and for fewer than two values. Example:
 * [1, 2, 4] and m = 1 give 1.5.
 */
export function seasonalNaiveScale(history: ArrayLike<number>, period: number): number {
  const lag = history.length > period ? period : 1;
  if (history.length <= lag) return 0;
  let total = 0;
  for (let t = lag; t < history.length; t += 1) total += Math.abs(history[t]! - history[t - lag]!);
  return total / (history.length - lag);
}

/**
 * Returns MASE: the mean absolute error over `seasonalNaiveScale` of the history. Example: actual values [1, 3],
 * forecasts [2, 5] and scale 1.5 give 1.
 */
export function mase(actual: ArrayLike<number>, forecast: ArrayLike<number>, scale: number): number {
  return meanAbsoluteError(actual, forecast) / scale;
}

/**
 * Returns OWA: the mean of the sMAPE ratio and the MASE ratio of a method to the reference. Average the errors over the
 * series of a group first. The reference of M4 is Naive2. Example: sMAPE 9 and MASE 0.8, with a reference of 10 and 1,
 * give 0.85.
 */
export function overallWeightedAverage(method: PointErrors, reference: PointErrors): number {
  return 0.5 * (method.smape / reference.smape + method.mase / reference.mase);
}

export type PointErrors = { smape: number; mase: number };

export type Bounds = { lower: ArrayLike<number>; upper: ArrayLike<number> };

/**
 * Returns MSIS, the scaled mean interval score. A period scores U - L, plus 2/a (L - y) if y < L, plus 2/a (y - U) if y
 * > U. The mean is divided by `scale` (see `seasonalNaiveScale`). a = 1 - level/100, so 2/a is 40 at 95 %. Example:
 * actual value 5, bounds 6 and 8, level 95 and scale 2 give (2 + 40) / 2 = 21.
 * Source: Gneiting and Raftery, "Strictly Proper Scoring Rules" (2007), section 6.2, scaled.
 */
export function meanScaledIntervalScore(
  actual: ArrayLike<number>,
  { lower, upper }: Bounds,
  { level, scale }: { level: number; scale: number },
): number {
  const penalty = 2 / (1 - level / 100);
  let total = 0;
  for (let i = 0; i < actual.length; i += 1) {
    const [y, low, high] = [actual[i]!, lower[i]!, upper[i]!];
    total += high - low;
    if (y < low) total += penalty * (low - y);
    if (y > high) total += penalty * (y - high);
  }
  return total / actual.length / scale;
}

/**
 * Counts the actual values within the bounds, inclusive. Example: actual values [1, 5], lower bounds [0, 6] and upper
 * bounds [2, 7] give 1.
 */
export function countInside(actual: ArrayLike<number>, { lower, upper }: Bounds): number {
  let inside = 0;
  for (let i = 0; i < actual.length; i += 1) {
    if (actual[i]! >= lower[i]! && actual[i]! <= upper[i]!) inside += 1;
  }
  return inside;
}
