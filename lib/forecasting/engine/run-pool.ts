import type { Fit, Forecast, Form, Series } from '#lib/forecasting/methods/method.ts';
import {
  backtest,
  errorsByOrigin,
  errorsOfMethods,
  isFiniteForecast,
  type OriginData,
  type OriginForecasts,
} from './backtest.ts';
import type { PoolMethod } from './method-pool.ts';
import { combinationWeights } from './weights.ts';

/** One method on one series: its forecast, its backtest, and its weight in the combination. */
export type Candidate = {
  entry: PoolMethod;
  form: Form;
  fit: Fit;
  /** The forecast; null if it is not finite. */
  forecast: Forecast | null;
  atOrigins: OriginForecasts;
  errors: readonly (number | null)[];
  error: number | null;
  prior: number;
  weight: number;
};

export type PoolRun = {
  /** The methods to run, in the order of the results. */
  pool: readonly PoolMethod[];
  series: Series;
  horizon: number;
  origins: readonly OriginData[];
  /** Prior weights by method key. Methods that are absent have weight 0. */
  priors: Readonly<Record<string, number>>;
};

/** Methods that give the same forecast as another method of the pool if there is no season. */
const SEASONAL_ONLY: ReadonlySet<string> = new Set([
  'holt_winters_additive',
  'ces_adjusted',
  'arima_adjusted',
]);

/** Fits, backtests and weights every method that supports the series, in the order of the pool. */
export function runPool({ pool, series, horizon, origins, priors }: PoolRun): Candidate[] {
  const fitted = pool.filter((entry) => takes(entry, series)).map((entry) => forecastBy(entry));
  const errors = errorsOfMethods(fitted.map((each) => each.errors));
  const prior = (index: number) => {
    const { forecast, entry } = fitted[index]!;
    return forecast ? (priors[entry.key] ?? 0) : 0;
  };
  const weights = combinationWeights(errors.map((error, index) => ({ error, prior: prior(index) })));
  return fitted.map((each, index) => ({
    ...each,
    error: errors[index]!,
    prior: prior(index),
    weight: weights[index]!,
  }));

  function forecastBy(entry: PoolMethod) {
    const form = entry.method.choose(series);
    const fit = entry.method.fit(series, form);
    const forecast = fit.forecast(horizon);
    const atOrigins = backtest(entry.method, form, origins);
    return {
      entry,
      form,
      fit,
      forecast: isFiniteForecast(forecast) ? forecast : null,
      atOrigins,
      errors: errorsByOrigin(origins, atOrigins),
    };
  }
}

function takes({ key, method }: PoolMethod, series: Series): boolean {
  if (series.period === 1 && SEASONAL_ONLY.has(key)) return false;
  return method.serves(series);
}
