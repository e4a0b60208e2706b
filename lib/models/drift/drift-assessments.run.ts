import { prefixes } from '#lib/core/prefix.ts';
import { defineRun } from '#lib/pipeline/define-run.ts';
import { Closed } from '#lib/core/schema.ts';
import { DriftInput, DriftRequest, DriftResult } from './drift.schema.ts';
import { driftInput } from './drift-input.query.ts';

export const driftAssessmentsRun = defineRun({
  key: 'modeling.drift-assessments',
  prefix: prefixes.driftAssessment,
  queue: 'numerics',
  scope: 'lqm:build:run',
  resource: '/lqm/drift-assessments',
  submission: '/lqm/models/{uid}/drift-assessments',
  model: 'svc_drift_assessment_v1',
  request: DriftRequest,
  input: DriftInput,
  summary: ['model_uid', 'version_uid', 'training_uid', 'evaluation_uid'],
  output: Closed({ result: DriftResult }),
  attachments: Closed({}),
  refusals: ['not_found', 'unknown_dataset', 'drift_ineligible'],
  problems: ['snapshot_altered'],
  timeoutMs: 600_000,
  attempts: 20,
  resolve: async (em, request) => ({ input: await driftInput(em, request) }),
});
