/**
 * Keys of the forecast models, oldest first, each with its version. A change of the code that changes any bit of a
 * result needs a new version. Earlier versions stay computable, because their sealed results are replayed.
 */
export const forecastModels = [
  'svc_forecast_combination_v1',
  'svc_forecast_combination_v2',
  'svc_forecast_combination_v3',
  'svc_forecast_combination_v4',
] as const;
export type ForecastModel = (typeof forecastModels)[number];

/** The model of new forecasts. */
export const FORECAST_MODEL = 'svc_forecast_combination_v4' satisfies ForecastModel;

/** Returns the forecast model with a key. Throws a `RangeError` on any other key. */
export function forecastModelOf(key: string): ForecastModel {
  const model = forecastModels.find((each) => each === key);
  if (model === undefined) throw new RangeError(`${key} is not a forecast model`);
  return model;
}
