import { forecastSeries } from '#lib/forecasting/engine/forecast-series.ts';
import type { ForecastModel } from '#lib/forecasting/engine/forecast-models.ts';
import { isFiniteForecast } from '#lib/forecasting/engine/backtest.ts';
import { combinePoints } from '#lib/forecasting/engine/combine.ts';
import { meanWidth } from '#lib/forecasting/engine/intervals.ts';
import { methodPool, type PoolMethod } from '#lib/forecasting/engine/method-pool.ts';
import type { Forecast, Form, Series } from '#lib/forecasting/methods/method.ts';
import type { PeriodFrequency } from '#lib/data/period.ts';
import type { Series as Rows } from '#lib/models/prediction/series.ts';
import type { ResolvedEntry } from './tournament-input.schema.ts';

/** The information of an entry at an origin: the values, the day of the last value, and the rows of a dataset task. */
export type Known = Series & { day: string; rows: Rows | null };

/** The forecast model of sealed combinations that do not name a forecast model. */
const FIRST_MODEL: ForecastModel = 'svc_forecast_combination_v2';

/** The forecasts of an entry, origin by origin. */
export type Forecaster = {
  /** Chooses the form of the entry from the values known at an origin. */
  choose(known: Known): void;
  /** Forecasts from the values known at an origin, with the chosen form. */
  forecast(known: Known): Forecast | null;
};

/** Returns the forecaster of a method or of the combination. A forecaster belongs to one series. */
export function methodForecaster(
  { kind, method, forecast_model: model }: Pick<ResolvedEntry, 'kind' | 'method' | 'forecast_model'>,
  { frequency, horizon }: { frequency: PeriodFrequency; horizon: number },
): Forecaster {
  return kind === 'combination'
    ? combination(frequency, horizon, model ?? FIRST_MODEL)
    : single(method!, horizon);
}

function single(key: string, horizon: number): Forecaster {
  const entry = poolMethod(key);
  let form: Form | null = null;
  return {
    choose(known) {
      form = entry.method.serves(known) ? entry.method.choose(known) : null;
    },
    forecast: (known) => (form ? fitted(entry, { known, form, horizon }) : null),
  };
}

/** A method of a combination with its weight and form. */
type Member = { entry: PoolMethod; weight: number; form: Form };

/**
 * Returns the forecaster of a combination of methods. `choose` forecasts from the known values, and keeps the methods
 * with their weights and forms. `forecast` fits these methods again. The standard errors are the mean of those of the
 * methods in `interval_basis`.
 */
function combination(frequency: PeriodFrequency, horizon: number, model: ForecastModel): Forecaster {
  let members: Member[] = [];
  let sources: ReadonlySet<string> = new Set();
  let chosen: { known: Known; forecast: Forecast } | null = null;
  return {
    choose(known) {
      const outcome = forecastSeries({ frequency, values: [...known.values] }, { horizon, model });
      const described = outcome.ok ? outcome.result.methods : [];
      sources = new Set(outcome.ok ? outcome.result.interval_basis.methods : []);
      members = described
        .filter(({ method, weight }) => weight > 0 || sources.has(method))
        .map(({ method, weight, form }) => ({ entry: poolMethod(method), weight, form: form as Form }));
      const errors = described.flatMap(({ method, standard_errors: own }) =>
        own && sources.has(method) ? [Float64Array.from(own)] : [],
      );
      const point = outcome.ok ? Float64Array.from(outcome.result.points) : null;
      chosen = point && { known, forecast: { point, ...spread(errors, horizon) } };
    },
    forecast(known) {
      if (chosen?.known === known) return isFiniteForecast(chosen.forecast) ? chosen.forecast : null;
      const fits = members.map((each) => ({
        ...each,
        forecast: fitted(each.entry, { ...each, known, horizon }),
      }));
      const weighted = fits.filter(({ weight, forecast }) => weight > 0 && forecast);
      if (weighted.length === 0) return null;
      const errors = fits.flatMap(({ entry, forecast }) =>
        forecast?.standardErrors && sources.has(entry.key) ? [forecast.standardErrors] : [],
      );
      return { point: combinePoints(weighted, horizon), ...spread(errors, horizon) };
    },
  };
}

function spread(errors: readonly Float64Array[], horizon: number): Pick<Forecast, 'standardErrors'> {
  return errors.length > 0 ? { standardErrors: meanWidth(errors, horizon) } : {};
}

function fitted(
  { method }: PoolMethod,
  { known, form, horizon }: { known: Series; form: Form; horizon: number },
): Forecast | null {
  if (!method.serves(known)) return null;
  const forecast = method.fit(known, form).forecast(horizon);
  return isFiniteForecast(forecast) ? forecast : null;
}

function poolMethod(key: string): PoolMethod {
  const entry = methodPool.find((each) => each.key === key);
  if (!entry) throw new Error(`there is no method ${key}`);
  return entry;
}
