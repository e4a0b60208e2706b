import type { Fault } from '#lib/core/problem.ts';
import type { Outcome } from '#lib/core/run.ts';
import { laterPeriod } from '#lib/data/period-steps.ts';
import { readPeriod } from '#lib/data/period.ts';
import type { ForecastModel } from '#lib/forecasting/engine/forecast-models.ts';
import { forecastSeries } from '#lib/forecasting/engine/forecast-series.ts';
import { engineQuestion, forecastOutput, readSeries } from '#lib/forecasting/forecast-output.ts';
import { answerRefusal, engineRefusal, type RefusedForecast } from '#lib/forecasting/forecast-refusal.ts';
import type { ForecastInput } from '#lib/forecasting/forecasts.schema.ts';
import type { MetricAnswer, MetricValues } from '#lib/forecasting/series/metric-series.query.ts';
import { modelInputFault } from './statistical-pointer.ts';
import type { statisticalRunsRun } from './statistical-runs.run.ts';
import type { StatisticalRunInput } from './statistical-runs.schema.ts';

/** The forecast model of a run, and the values of its metric; null if the input contains the values. */
export type StatisticalData = { model: ForecastModel; answer: MetricAnswer | null };

/**
 * Forecasts a series with one statistical method. The result has the form of a forecast.
 */
export function runStatistical(
  input: StatisticalRunInput,
  { model, answer }: StatisticalData,
): Outcome<typeof statisticalRunsRun> {
  const asked = forecastInputOf(input);
  const found = answer ?? { ok: true as const, values: givenValues(input) };
  if (!found.ok) return { ok: false, refusal: pointing(input, answerRefusal(asked, found)) };
  const read = readSeries(found.values);
  const { series, options } = engineQuestion(asked, read);
  const outcome = forecastSeries(series, { ...options, model });
  return outcome.ok
    ? { ok: true, ...forecastOutput(outcome.result, found.values, read) }
    : { ok: false, refusal: pointing(input, engineRefusal(asked, outcome.refusal)) };
}

/** Returns the input of the run as the input of a forecast. */
function forecastInputOf({ model_key: method, series: _, ...input }: StatisticalRunInput): ForecastInput {
  return { ...input, method, metric: input.metric ?? 'values', as_of: input.as_of ?? '', reason: null };
}

/** Returns the values of the request by period. */
function givenValues({ series, frequency }: StatisticalRunInput): MetricValues {
  const { lastDay: first } = readPeriod(series!.start)!;
  const observed = series!.values.flatMap((value, at) =>
    value === null ? [] : [{ lastDay: laterPeriod(frequency!, first, at), value }],
  );
  return { frequency: frequency!, unit: null, currency: null, observed };
}

/** Returns a refusal whose faults point to the input of the model. */
function pointing({ metric }: StatisticalRunInput, { code, detail, members }: RefusedForecast) {
  const series = metric === null ? 'values' : 'metric';
  const errors = (members['errors'] as readonly Fault[]).map((fault) => modelInputFault(fault, series));
  return { code, detail, members: { ...members, errors } };
}
