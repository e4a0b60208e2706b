import { forecastSeries } from '#lib/forecasting/engine/forecast-series.ts';
import { COMBINATION } from '#lib/forecasting/engine/method-catalogue.ts';
import { scoreOf, type SeriesScore } from './scores.ts';
import type { TestSeries } from './series-file.ts';

/**
 * The forecast of one series: its processor time over all threads, and the scores of the combination and of
 * each method by key.
 */
export type SeriesRun = { series: TestSeries; ms: number; scores: ReadonlyMap<string, SeriesScore> };

/**
 * Forecasts a series with all the steps of a forecast for a caller: pool, backtest, intervals. Throws if the
 * series is rejected.
 */
export function runSeries(series: TestSeries): SeriesRun {
  const { frequency, horizon, train } = series;
  const from = process.cpuUsage();
  const outcome = forecastSeries({ frequency, values: train }, { horizon, levels: [95] });
  const { user, system } = process.cpuUsage(from);
  const ms = (user + system) / 1000;
  if (!outcome.ok) throw new Error(`${series.id} is refused: ${JSON.stringify(outcome.refusal)}`);
  const { points, intervals, methods } = outcome.result;
  const scores = new Map([[COMBINATION, scoreOf(series, points, intervals[0]!)]]);
  for (const method of methods) {
    if (method.role !== 'failed') scores.set(method.method, scoreOf(series, method.points, null));
  }
  return { series, ms, scores };
}
