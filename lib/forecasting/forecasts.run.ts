import { forecastProblems } from './forecast-refusal.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { defineRun } from '#lib/pipeline/define-run.ts';
import { Closed } from '#lib/core/schema.ts';
import { FORECAST_MODEL } from './engine/forecast-models.ts';
import {
  ForecastHistory,
  ForecastInput,
  ForecastInputData,
  ForecastOutput,
  ForecastRunRequest,
} from './forecasts.schema.ts';
import { forecastInput } from './forecast-input.query.ts';

export const forecastsRun = defineRun({
  key: 'planning.forecasts',
  prefix: prefixes.forecast,
  queue: 'numerics',
  scope: 'planning:forecast:create',
  resource: '/planning/forecasts',
  model: FORECAST_MODEL,
  request: ForecastRunRequest,
  input: ForecastInput,
  summary: ['metric', 'company_id', 'horizon', 'as_of', 'method', 'frequency'],
  output: Closed({ input_data: ForecastInputData, result: ForecastOutput }),
  attachments: Closed({ history: ForecastHistory }),
  refusals: ['unknown_metric', 'unknown_company'],
  problems: [...forecastProblems],
  timeoutMs: 120_000,
  attempts: 20,
  resolve: (em, request, { now }) => forecastInput(em, request, now),
});
