import { defineRun } from '#lib/core/run.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed } from '#lib/core/schema.ts';
import { DriftInput, DriftResult } from './drift.schema.ts';

export const driftAssessmentsRun = defineRun({
  key: 'modeling.drift-assessments',
  prefix: prefixes.driftAssessment,
  queue: 'numerics',
  resource: '/lqm/drift-assessments',
  submission: '/lqm/models/{uid}/drift-assessments',
  model: 'svc_drift_assessment_v1',
  input: DriftInput,
  summary: ['model_uid', 'version_uid', 'training_uid', 'evaluation_uid'],
  output: Closed({ result: DriftResult }),
  attachments: Closed({}),
  problems: ['snapshot_altered'],
  timeoutMs: 600_000,
  attempts: 20,
});
