import { prefixes } from '#lib/core/prefix.ts';
import { defineRun } from '#lib/pipeline/define-run.ts';
import { Closed } from '#lib/core/schema.ts';
import { requireUse } from '#lib/data/rights/ask-rights.query.ts';
import { TRAININGS } from '#lib/models/registry/lqm.ts';
import { ModelRunInput, TrainingResult } from '#lib/models/registry/model-run.schema.ts';
import { findVersion, openVersion, trainingInput } from './model-run.query.ts';
import { TrainingRequest } from './model-run-request.schema.ts';

export const trainingsRun = defineRun({
  key: TRAININGS,
  prefix: prefixes.modelTraining,
  queue: 'numerics',
  scope: 'lqm:build:run',
  resource: '/lqm/trainings',
  submission: '/lqm/models/{uid}/trainings',
  model: 'svc_model_training_v1',
  request: TrainingRequest,
  input: ModelRunInput,
  summary: ['model_uid', 'version_uid', 'family'],
  output: Closed({ result: TrainingResult }),
  attachments: Closed({}),
  refusals: ['not_found', 'model_version_closed', 'dataset_not_governed'],
  dataAction: 'train',
  problems: ['training_data_ineligible', 'not_identifiable', 'snapshot_altered'],
  timeoutMs: 600_000,
  attempts: 20,
  async resolve(em, { model_uid, version }, { now }) {
    const input = await trainingInput(em, openVersion(await findVersion(em, model_uid, version)));
    await requireUse(em, input.dataset.id, { action: 'train', rows: 'all', now });
    return { input };
  },
});
