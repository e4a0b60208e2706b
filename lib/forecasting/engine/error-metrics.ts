/**
 * Errors of forecasts as the M4 competition defines them. `actual` and `forecast` (or the bounds) have one element for
 * each period of the horizon, in one unit. Source: Makridakis, Spiliotis and Assimakopoulos, "The M4 Competition:
 * 100,000 time series and 61 forecasting methods", International Journal of Forecasting 36 (2020), section 2.
 */

/** Mean of |y - f|, in the unit of the values. Example: of [1, 3] and [2, 5] it is 1.5. NaN of nothing. */
export function meanAbsoluteError(actual: ArrayLike<number>, forecast: ArrayLike<number>): number {
  let total = 0;
  for (let i = 0; i < actual.length; i += 1) total += Math.abs(actual[i]! - forecast[i]!);
  return total / actual.length;
}

/**
 * sMAPE: mean of 200 |y - f| / (|y| + |f|), from 0 to 200; a period with y = f = 0 counts as 0.
 * Example: of [100, 100] and [100, 300] it is 50. NaN of nothing.
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
 * What MASE and MSIS divide by: mean of |x_t - x_(t-m)| over the history, in its unit; `period` is m. Where the
 * history is no longer than a period, m is 1. Example: of [1, 2, 4] and m = 1 it is 1.5. 0 of a constant history and
 * of fewer than two values.
 */
export function seasonalNaiveScale(history: ArrayLike<number>, period: number): number {
  const lag = history.length > period ? period : 1;
  if (history.length <= lag) return 0;
  let total = 0;
  for (let t = lag; t < history.length; t += 1) total += Math.abs(history[t]! - history[t - lag]!);
  return total / (history.length - lag);
}

/** MASE: mean absolute error over `seasonalNaiveScale` of the history. Example: of [1, 3], [2, 5], 1.5 it is 1. */
export function mase(actual: ArrayLike<number>, forecast: ArrayLike<number>, scale: number): number {
  return meanAbsoluteError(actual, forecast) / scale;
}

/**
 * OWA: half of sMAPE over that of the reference plus half of MASE over that of the reference, each averaged over the
 * series of a group before; the reference of M4 is Naive2. Example: of 9 and 0.8 beside 10 and 1 it is 0.85.
 */
export function overallWeightedAverage(method: PointErrors, reference: PointErrors): number {
  return 0.5 * (method.smape / reference.smape + method.mase / reference.mase);
}

export type PointErrors = { smape: number; mase: number };

export type Bounds = { lower: ArrayLike<number>; upper: ArrayLike<number> };

/**
 * MSIS: mean of (U - L) + 2/a (L - y) where y < L + 2/a (y - U) where y > U, over `scale` (see
 * `seasonalNaiveScale`); a = 1 - level/100, so 2/a is 40 at 95 %. Example: of [5], bounds [6] and [8], 95 and scale 2
 * it is (2 + 40) / 2 = 21. Source: Gneiting and Raftery, "Strictly Proper Scoring Rules" (2007), section 6.2, scaled.
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

/** How many actual values are within the bounds, ends included. Example: of [1, 5], [0, 6] and [2, 7] it is 1. */
export function countInside(actual: ArrayLike<number>, { lower, upper }: Bounds): number {
  let inside = 0;
  for (let i = 0; i < actual.length; i += 1) {
    if (actual[i]! >= lower[i]! && actual[i]! <= upper[i]!) inside += 1;
  }
  return inside;
}
