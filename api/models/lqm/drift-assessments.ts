import Type from 'typebox';
import { driftAssessmentsRun } from '#lib/models/drift/drift-assessments.run.ts';
import { DriftAssessmentRequest } from '#lib/models/drift/drift.schema.ts';
import { LqmModelUid } from '#lib/models/registry/checkpoint.schema.ts';
import { defineRunList, defineRunRead, defineRunSubmission } from '../../run-operations.ts';

export const createDriftAssessment = defineRunSubmission(driftAssessmentsRun, {
  key: 'lqm.models.drift_assessments.create',
  product: 'Model building (LQM)',
  summary:
    'Compares a newer governed dataset with what the latest passing checkpoint was trained on, and seals the answer.',
  description:
    'Tests every column, with the false discovery rate held over all tests and small changes left out, and all columns ' +
    'together. Material drift asks people to review a retraining; nothing is trained or promoted by it. Who is refused ' +
    'with `drift_ineligible` is told every reason in `reasons`.',
  body: DriftAssessmentRequest,
  subject: 'model_uid',
  sealed: 'The assessment, sealed.',
});

export const listDriftAssessments = defineRunList(driftAssessmentsRun, {
  key: 'lqm.drift_assessments.list',
  product: 'Model building (LQM)',
  scope: 'ml:read',
  summary: 'Lists drift assessments, newest first, without their results.',
  filters: {
    model_uid: Type.Optional(LqmModelUid),
  },
});

export const getDriftAssessment = defineRunRead(driftAssessmentsRun, {
  key: 'lqm.drift_assessments.get',
  product: 'Model building (LQM)',
  scope: 'ml:read',
  summary: 'Reads a drift assessment, and waits for its end on request.',
  description: 'An assessment that ended without a result reads 200 with the state `failed`.',
  noun: 'drift assessment',
});
