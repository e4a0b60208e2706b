import { prefixes } from '#lib/core/prefix.ts';
import { Closed } from '#lib/core/schema.ts';
import { FORECAST_MODEL } from '#lib/forecasting/engine/forecast-models.ts';
import { forecastProblems } from '#lib/forecasting/forecast-refusal.ts';
import { ForecastHistory, ForecastInputData, ForecastOutput } from '#lib/forecasting/forecasts.schema.ts';
import { requireVersion } from '#lib/models/registry/required-version.query.ts';
import { defineRun } from '#lib/pipeline/define-run.ts';
import { statisticalInput } from './statistical-input.query.ts';
import { StatisticalRunInput, StatisticalRunRequest } from './statistical-runs.schema.ts';

/** The run that forecasts a series with one statistical method. */
export const statisticalRunsRun = defineRun({
  key: 'quant.statistical-runs',
  prefix: prefixes.modelRun,
  queue: 'numerics',
  scope: 'quant:models:run',
  resource: '/quant/model-runs',
  submission: '/quant/models/{key}/run',
  model: FORECAST_MODEL,
  request: StatisticalRunRequest,
  input: StatisticalRunInput,
  summary: ['model_key', 'metric', 'frequency', 'horizon'],
  output: Closed({ input_data: ForecastInputData, result: ForecastOutput }),
  attachments: Closed({ history: ForecastHistory }),
  refusals: ['not_found', 'model_superseded', 'unknown_metric', 'unknown_company'],
  problems: [...forecastProblems],
  timeoutMs: 120_000,
  attempts: 20,
  async resolve(em, { model, version, input }, { now }) {
    if (version !== undefined) await requireVersion(em, FORECAST_MODEL, String(version));
    return statisticalInput(em, model, input, now);
  },
});
