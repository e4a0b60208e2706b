import { engineQuestion, forecastOutput, readSeries } from '#lib/planning/forecast-output.ts';
import { answerRefusal, engineRefusal } from '#lib/planning/forecast-refusal.ts';
import { forecastSeries } from '#lib/planning/forecasting/forecast-series.ts';
import type { forecastsRun } from '#lib/planning/forecasts.run.ts';
import type { MetricAnswer } from '#lib/planning/series/metric-series.repository.ts';
import type { Computation } from '../runner.ts';

export const compute: Computation<typeof forecastsRun, MetricAnswer> = (input, answer) => {
  if (!answer.ok) return { ok: false, refusal: answerRefusal(input, answer) };
  const read = readSeries(answer.values);
  const { series, options } = engineQuestion(input, read);
  const outcome = forecastSeries(series, options);
  return outcome.ok
    ? { ok: true, ...forecastOutput(outcome.result, answer.values, read) }
    : { ok: false, refusal: engineRefusal(input, outcome.refusal) };
};
