import { readPeriod } from '#lib/data/period.ts';
import { backtestErrors, type OriginErrors } from '#lib/forecasting/engine/backtest-errors.ts';
import type { ForecastModel } from '#lib/forecasting/engine/forecast-models.ts';
import { engineQuestion } from '#lib/forecasting/forecast-output.ts';
import type { ForecastHistory, ForecastInput, ForecastOutput } from '#lib/forecasting/forecasts.schema.ts';

/** A sealed forecast with the values from which it was computed. */
export type SealedForecast = {
  input: ForecastInput;
  result: ForecastOutput;
  history: ForecastHistory;
  model: ForecastModel;
};

/**
 * Returns the backtest errors of a sealed forecast. They are computed again from its history, because the sealed result
 * holds only their means.
 */
export function errorsOfForecast({ input, result, history, model }: SealedForecast): OriginErrors[] {
  const { frequency, first_period, left_out } = result.series;
  const first = readPeriod(first_period)!.lastDay;
  const grid = { frequency, first, values: history.map(({ value }) => value) };
  const { series, options } = engineQuestion(input, { grid, leftOut: left_out });
  return backtestErrors(series, { ...options, model });
}
