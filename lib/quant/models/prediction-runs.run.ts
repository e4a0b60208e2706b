import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Sha256Of } from '#lib/core/schema.ts';
import { defineRun } from '#lib/pipeline/define-run.ts';
import { predictionInput } from './prediction-input.query.ts';
import { PredictionRunInput, PredictionRunRequest, PredictionRunResult } from './prediction-runs.schema.ts';

/** The run that predicts with the serving version of a prediction model of the workspace. */
export const predictionRunsRun = defineRun({
  key: 'quant.prediction-runs',
  prefix: prefixes.modelRun,
  queue: 'numerics',
  scope: 'quant:models:run',
  resource: '/quant/model-runs',
  submission: '/quant/models/{key}/run',
  model: 'svc_model_prediction_v1',
  request: PredictionRunRequest,
  input: PredictionRunInput,
  summary: ['model_key', 'target', 'horizon'],
  output: Closed({
    input_data: Closed(
      { rows_sha256: Sha256Of('SHA-256 of the RFC 8785 form of `{columns, days, values}`.') },
      { description: 'Hash of the rows that were read.' },
    ),
    result: PredictionRunResult,
  }),
  attachments: Closed({}),
  refusals: ['not_found', 'model_superseded', 'no_checkpoint'],
  problems: ['insufficient_history'],
  timeoutMs: 120_000,
  attempts: 20,
  resolve: (em, request) => predictionInput(em, request),
});
