import { stl } from '#lib/numerics/stl/stl.ts';

/** Width of the seasonal smoother: the minimum that the authors of STL advise. */
const SEASONAL_WIDTH = 7;
/** Maximum number of last seasons that are predicted to measure the prediction error. */
const SEASONS_MAX = 50;

/**
 * Returns the remainder of a series, without trend and season, by robust STL. Outliers have little effect on robust
 * STL.
 *
 * Needs more than two whole periods. Source: Cleveland, Cleveland, McRae and Terpenning, "STL" (1990).
 */
export function seasonalRemainder(values: Float64Array, period: number): Float64Array {
  return decompose(values, period).remainder;
}

/**
 * Returns the remainders of values that directly follow the past values: each value minus the last trend and the
 * repeated last season of the past. The values do not change the fit.
 */
export function remainderAhead(past: Float64Array, period: number, values: ArrayLike<number>): Float64Array {
  const { trend, seasonal } = decompose(past, period);
  const n = past.length;
  return Float64Array.from(
    { length: values.length },
    (_, ahead) => values[ahead]! - trend[n - 1]! - seasonal[n - period + (ahead % period)]!,
  );
}

/**
 * Returns the remainders of the last whole seasons of the past values, at most 50 seasons. Each season is predicted
 * only from the values before it. The remainders are a sample of the errors of `remainderAhead` on usual data. Needs
 * more than three whole periods, so that at least one season can be predicted.
 */
export function forecastRemainders(past: Float64Array, period: number): Float64Array {
  const seasons = Math.min(SEASONS_MAX, Math.ceil(past.length / period) - 3);
  const parts: number[] = [];
  for (let back = seasons; back >= 1; back -= 1) {
    const origin = past.length - back * period;
    parts.push(...remainderAhead(past.subarray(0, origin), period, past.subarray(origin, origin + period)));
  }
  return Float64Array.from(parts);
}

/**
 * Returns the trend, the season and the remainder of a series, by the robust STL of `seasonalRemainder`. Their sum is the
 * series. Needs more than two whole periods.
 */
export function decompose(values: Float64Array, period: number) {
  return stl(values, { period, seasonal: SEASONAL_WIDTH, robust: true });
}
