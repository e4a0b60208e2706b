import type { Form, ForecastMethod, Forecast, Series } from '#lib/forecasting/methods/method.ts';
import { meanAbsoluteError } from './error-metrics.ts';
import type { Origin } from './origins.ts';

/** The values known at an origin, and the actual values that followed. */
export type OriginData = Origin & { known: Series; actual: Float64Array };

/** The forecasts of a method at each origin; null for an origin at which the method failed. */
export type OriginForecasts = readonly (Forecast | null)[];

/**
 * Forecasts with one method from each origin. The form of the method was chosen on the whole series. The parameters are
 * estimated only on the values known at the origin. Source: Fiorucci and Louzada, "GROEC: Combination method via
 * Generalized Rolling Origin Evaluation", International Journal of Forecasting 36 (2020).
 */
export function backtest(
  method: ForecastMethod,
  form: Form,
  origins: readonly OriginData[],
): OriginForecasts {
  return origins.map(({ known, horizon }) => {
    if (!method.serves(known)) return null;
    const forecast = method.fit(known, form).forecast(horizon);
    return isFiniteForecast(forecast) ? forecast : null;
  });
}

/** Whether all points are finite. */
export function isFiniteForecast({ point }: Forecast): boolean {
  return point.every(Number.isFinite);
}

/**
 * Returns the mean absolute error at each origin; null if the origin has no forecast, or if its error is not finite.
 */
export function errorsByOrigin(
  origins: readonly OriginData[],
  forecasts: OriginForecasts,
): (number | null)[] {
  return origins.map(({ actual }, index) => {
    const forecast = forecasts[index];
    const error = forecast ? meanAbsoluteError(actual, forecast.point) : null;
    return error !== null && error < Infinity ? error : null;
  });
}

/**
 * Returns the mean error of each method over the origins; null for a method that has no forecast at any
 * origin. The difficulty of an origin is the median error of all methods at this origin. The mean error of a
 * method without forecasts at some origins is multiplied by a ratio: the mean difficulty of all origins over
 * the mean difficulty of the origins where the method has a forecast. The method therefore does not benefit
 * from failing at difficult origins. Example: errors [1, 2] and [1, null] give 1.5 and 1.5.
 */
export function errorsOfMethods(errors: readonly (readonly (number | null)[])[]): (number | null)[] {
  const origins = errors[0]?.length ?? 0;
  const medians = Array.from({ length: origins }, (_, at) => median(errors.map((row) => row[at] ?? null)));
  return errors.map((row) => {
    const had = row.flatMap((error, at) => (error === null ? [] : [{ error, median: medians[at]! }]));
    if (had.length === 0) return null;
    const own = total(had.map(({ error }) => error)) / had.length;
    const hardness = total(had.map(({ median }) => median)) / had.length;
    if (had.length === origins || hardness === 0) return own;
    return (own * (total(medians) / origins)) / hardness;
  });
}

/** Returns the median of the values that are not null; 0 if all values are null. */
function median(values: readonly (number | null)[]): number {
  const sorted = Float64Array.from(values.filter((value) => value !== null)).sort();
  if (sorted.length === 0) return 0;
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
