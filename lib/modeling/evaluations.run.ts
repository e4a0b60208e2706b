import { defineRun } from '#lib/core/run.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed } from '#lib/core/schema.ts';
import { EVALUATIONS } from '#lib/registry/lqm.ts';
import { EvaluationInput, EvaluationResult } from '#lib/registry/model-run.schema.ts';

export const evaluationsRun = defineRun({
  key: EVALUATIONS,
  prefix: prefixes.modelEvaluation,
  queue: 'numerics',
  resource: '/lqm/evaluations',
  submission: '/lqm/models/{uid}/evaluations',
  model: 'svc_model_evaluation_v1',
  input: EvaluationInput,
  summary: ['model_uid', 'version_uid', 'training_uid', 'holdout_share'],
  output: Closed({ result: EvaluationResult }),
  attachments: Closed({}),
  problems: ['training_data_ineligible', 'not_identifiable', 'snapshot_altered'],
  timeoutMs: 600_000,
  attempts: 20,
});
