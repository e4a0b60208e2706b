import Type from 'typebox';
import { Closed, ListOf, pageQuery, waitQuery } from '#lib/core/schema.ts';
import { driftAssessmentsJob } from '#lib/modeling/drift-assessments.job.ts';
import { driftSubmission } from '#lib/modeling/drift-submission.repository.ts';
import { DriftAssessmentRequest } from '#lib/modeling/drift.schema.ts';
import { runStates } from '#lib/pipeline/run.ts';
import { OpenRun, RunResource, RunSummary, SealedRun } from '#lib/pipeline/run.schema.ts';
import { LqmModelUid } from '#lib/registry/checkpoint.schema.ts';
import { readRun, runsReply } from '../../run-reads.ts';
import { presentRun, submissionProblems } from '../../runs.ts';
import { defineOperation } from '../../services.ts';

const job = driftAssessmentsJob;

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

export const listDriftAssessments = defineOperation({
  key: 'lqm.drift_assessments.list',
  product: 'Model building (LQM)',
  method: 'GET',
  path: job.resource,
  scope: 'ml:read',
  addition: true,
  summary: 'Lists drift assessments, newest first, without their results.',
  description: 'Runs of the workspace in the environment of the credential, in any state.',
  query: Closed({
    ...pageQuery,
    state: Type.Optional(Type.Enum([...runStates], { description: 'Only runs in this state.' })),
    model_uid: Type.Optional(LqmModelUid),
  }),
  success: { status: 200, description: 'A page of runs.', schema: ListOf(RunSummary(job)) },
  problems: ['invalid_cursor'],
  async handle({ services, query }) {
    const { model_uid } = query;
    return runsReply(services, query, { job, input: { model_uid } });
  },
});

export const getDriftAssessment = defineOperation({
  key: 'lqm.drift_assessments.get',
  product: 'Model building (LQM)',
  method: 'GET',
  path: `${job.resource}/{uid}`,
  scope: 'ml:read',
  addition: true,
  summary: 'Reads a drift assessment, and waits for its end on request.',
  description: 'An assessment that ended without a result reads 200 with the state `failed`.',
  query: Closed(waitQuery),
  success: { status: 200, description: 'The run, sealed once it has succeeded.', schema: RunResource(job) },
  problems: ['not_found'],
  async handle(call) {
    const found =
      (await readRun(call, [job.key])) ?? call.fail('not_found', 'There is no such drift assessment.');
    return { status: 200, body: presentRun(found) };
  },
});
