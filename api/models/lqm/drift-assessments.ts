import Type from 'typebox';
import { driftAssessmentsRun } from '#lib/models/drift/drift-assessments.run.ts';
import { DriftAssessmentRequest } from '#lib/models/drift/drift.schema.ts';
import { LqmModelUid } from '#lib/models/registry/checkpoint.schema.ts';
import { defineRunList, defineRunRead, defineRunSubmission } from '../../run-operations.ts';

export const createDriftAssessment = defineRunSubmission(driftAssessmentsRun, {
  key: 'lqm.models.drift_assessments.create',
  product: 'Model building (LQM)',
  summary:
    'Compares a newer governed dataset with the training data of the latest passing checkpoint, and seals the assessment.',
  description:
    'Every column is tested. The false discovery rate is controlled over all tests, and small changes are ignored. All columns are also tested together. If the drift is material, a retraining review by people is requested. The assessment never trains or promotes a model. A ' +
    '`drift_ineligible` problem lists every reason in `reasons`.',
  body: DriftAssessmentRequest,
  subject: 'model_uid',
  sealed: 'The sealed assessment.',
});

export const listDriftAssessments = defineRunList(driftAssessmentsRun, {
  key: 'lqm.drift_assessments.list',
  product: 'Model building (LQM)',
  scope: 'ml:read',
  summary: 'Lists drift assessments, newest first, without their results.',
  filters: {
    model_uid: Type.Optional({ ...LqmModelUid, description: 'Returns only assessments of this model.' }),
  },
});

export const getDriftAssessment = defineRunRead(driftAssessmentsRun, {
  key: 'lqm.drift_assessments.get',
  product: 'Model building (LQM)',
  scope: 'ml:read',
  summary: 'Returns a drift assessment, and optionally waits until the run ends.',
  description: 'If an assessment ends without a result, the answer is 200 with the state `failed`.',
  noun: 'drift assessment',
});
