import { defineRun } from '#lib/core/run.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed } from '#lib/core/schema.ts';
import { TRAININGS } from '#lib/registry/lqm.ts';
import { ModelRunInput, TrainingResult } from '#lib/registry/model-run.schema.ts';

export const trainingsRun = defineRun({
  key: TRAININGS,
  prefix: prefixes.modelTraining,
  queue: 'numerics',
  resource: '/lqm/trainings',
  submission: '/lqm/models/{uid}/trainings',
  model: 'svc_model_training_v1',
  input: ModelRunInput,
  summary: ['model_uid', 'version_uid', 'family'],
  output: Closed({ result: TrainingResult }),
  attachments: Closed({}),
  problems: ['training_data_ineligible', 'not_identifiable', 'snapshot_altered'],
  timeoutMs: 600_000,
  attempts: 20,
});
