import Type from 'typebox';
import { driftAssessmentsRun } from '#lib/modeling/drift-assessments.run.ts';
import { driftSubmission } from '#lib/modeling/drift-submission.repository.ts';
import { DriftAssessmentRequest } from '#lib/modeling/drift.schema.ts';
import { OpenRun, SealedRun } from '#lib/pipeline/run.schema.ts';
import { LqmModelUid } from '#lib/registry/checkpoint.schema.ts';
import { submissionProblems } from '../../runs.ts';
import { defineRunList, defineRunRead } from '../../run-operations.ts';
import { defineOperation } from '../../services.ts';

const job = driftAssessmentsRun;

export const createDriftAssessment = defineOperation({
  key: 'lqm.models.drift_assessments.create',
  product: 'Model building (LQM)',
  method: 'POST',
  path: '/lqm/models/{uid}/drift-assessments',
  scope: 'lqm:build:run',
  summary:
    'Compares a newer governed dataset with what the latest passing checkpoint was trained on, and seals the answer.',
  description:
    'Tests every column, with the false discovery rate held over all tests and small changes left out, and all columns ' +
    'together. Material drift asks people to review a retraining; nothing is trained or promoted by it. Who is refused ' +
    'with `drift_ineligible` is told every reason in `reasons`.',
  body: DriftAssessmentRequest,
  success: { status: 201, description: 'The assessment, sealed.', schema: SealedRun(job) },
  accepted: OpenRun(job),
  problems: ['not_found', 'unknown_dataset', 'drift_ineligible', ...job.problems, ...submissionProblems],
  async handle(call) {
    const { services, body, params } = call;
    const submitted = await services.runs.submit(job, call, (em) =>
      driftSubmission(em, params.uid, body.dataset_id),
    );
    return services.runs.answer(job, call, submitted);
  },
});

export const listDriftAssessments = defineRunList(job, {
  key: 'lqm.drift_assessments.list',
  product: 'Model building (LQM)',
  scope: 'ml:read',
  summary: 'Lists drift assessments, newest first, without their results.',
  filters: {
    model_uid: Type.Optional(LqmModelUid),
  },
});

export const getDriftAssessment = defineRunRead(job, {
  key: 'lqm.drift_assessments.get',
  product: 'Model building (LQM)',
  scope: 'ml:read',
  summary: 'Reads a drift assessment, and waits for its end on request.',
  description: 'An assessment that ended without a result reads 200 with the state `failed`.',
  noun: 'drift assessment',
});
