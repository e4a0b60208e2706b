import { engineQuestion, forecastOutput, readSeries } from '#lib/forecasting/forecast-output.ts';
import { answerRefusal, engineRefusal } from '#lib/forecasting/forecast-refusal.ts';
import { forecastSeries } from '#lib/forecasting/engine/forecast-series.ts';
import type { ComputationOf } from '../process/runner.ts';
import type runner from './forecasts.ts';

export const compute: ComputationOf<typeof runner> = (input, { answer, model }) => {
  if (!answer.ok) return { ok: false, refusal: answerRefusal(input, answer) };
  const read = readSeries(answer.values);
  const { series, options } = engineQuestion(input, read);
  const outcome = forecastSeries(series, { ...options, model });
  return outcome.ok
    ? { ok: true, ...forecastOutput(outcome.result, answer.values, read) }
    : { ok: false, refusal: engineRefusal(input, outcome.refusal) };
};
