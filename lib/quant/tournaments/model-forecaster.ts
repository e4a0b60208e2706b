import { fitterOf, predict } from '#lib/models/prediction/model.ts';
import { withColumns, type Series } from '#lib/models/prediction/series.ts';
import type { Teller } from '#lib/models/prediction/walk-forward.ts';
import type { PredictionCheckpoint } from '#lib/models/registry/prediction.schema.ts';
import type { Forecaster, Known } from './entry-forecast.ts';
import type { ResolvedEntry } from './tournament-input.schema.ts';
import type { Predictions } from './tournament-series.ts';

/** Number of rows before a prediction that a model reads: the maximum number of lags of a vector autoregression. */
const ROWS_READ = 24;

/**
 * Returns the forecaster of a model that is fitted to the rows known at an origin. It predicts the last period of the
 * horizon.
 */
export function fittedForecaster({ prediction, factors }: ResolvedEntry, horizon: number): Forecaster {
  const fit = fitterOf(prediction!);
  let teller: Teller | null = null;
  return {
    choose: ({ rows }) => {
      teller = fit(withColumns(rows!, factors!));
    },
    forecast: ({ rows }) => lastOf(teller?.(newest(withColumns(rows!, factors!))), horizon),
  };
}

/** Returns the forecaster of a trained checkpoint. The checkpoint is never fitted again. */
export function checkpointForecaster(
  { parameters, factors, target, horizon }: PredictionCheckpoint,
  steps: number,
): Forecaster {
  return {
    choose: () => {},
    forecast: ({ rows }) =>
      lastOf(predict(parameters, newest(withColumns(rows!, factors)), { target, horizon }), steps),
  };
}

/** Returns the forecaster of predictions that were made elsewhere: NaN at an origin without a prediction. */
export function readForecaster({ days, pairs }: Predictions, horizon: number): Forecaster {
  const byDay = new Map(days.map((day, at) => [day, pairs[2 * at]!]));
  return {
    choose: () => {},
    forecast: ({ day }: Known) => lastOf(Float64Array.of(byDay.get(day) ?? Number.NaN), horizon),
  };
}

/** Returns a forecaster that forecasts the mean of the known values. */
export function meanForecaster(horizon: number): Forecaster {
  return {
    choose: () => {},
    forecast: ({ values }) => {
      let total = 0;
      for (const value of values) total += value / values.length;
      return { point: new Float64Array(horizon).fill(total) };
    },
  };
}

function lastOf(predictions: Float64Array | undefined, horizon: number) {
  const last = predictions?.at(-1);
  return last === undefined ? null : { point: new Float64Array(horizon).fill(last) };
}

function newest({ factors, days, values }: Series): Series {
  const from = Math.max(0, days.length - ROWS_READ);
  return { factors, days: days.slice(from), values: values.subarray(from * factors.length) };
}
