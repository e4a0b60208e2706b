import { prefixes } from '#lib/core/prefix.ts';
import { defineRun } from '#lib/pipeline/define-run.ts';
import { Closed } from '#lib/core/schema.ts';
import { EVALUATIONS } from '#lib/models/registry/lqm.ts';
import { EvaluationInput, EvaluationResult } from '#lib/models/registry/model-run.schema.ts';
import { evaluationInput, findVersion, openVersion } from './model-run.query.ts';
import { EvaluationRequest, HOLDOUT_SHARE } from './model-run-request.schema.ts';

export const evaluationsRun = defineRun({
  key: EVALUATIONS,
  prefix: prefixes.modelEvaluation,
  queue: 'numerics',
  scope: 'lqm:build:run',
  resource: '/lqm/evaluations',
  submission: '/lqm/models/{uid}/evaluations',
  model: 'svc_model_evaluation_v1',
  request: EvaluationRequest,
  input: EvaluationInput,
  summary: ['model_uid', 'version_uid', 'training_uid', 'holdout_share'],
  output: Closed({ result: EvaluationResult }),
  attachments: Closed({}),
  refusals: ['not_found', 'model_version_closed', 'no_checkpoint', 'dataset_not_governed'],
  problems: ['training_data_ineligible', 'not_identifiable', 'snapshot_altered'],
  timeoutMs: 600_000,
  attempts: 20,
  async resolve(em, { model_uid, version, holdout_share = HOLDOUT_SHARE }) {
    const found = openVersion(await findVersion(em, model_uid, version));
    return { input: await evaluationInput(em, found, holdout_share) };
  },
});
