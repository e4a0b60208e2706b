import Type from 'typebox';
import { Closed, ListOf, pageQuery, waitQuery } from '#lib/core/schema.ts';
import { LqmModelUid, LqmVersionNumber } from '#lib/registry/checkpoint.schema.ts';
import { EvaluationInput } from '#lib/registry/model-run.schema.ts';
import { evaluationsJob } from '#lib/modeling/evaluations.job.ts';
import { runStates } from '#lib/pipeline/run.ts';
import { OpenRun, RunResource, RunSummary, SealedRun } from '#lib/pipeline/run.schema.ts';
import { readRun, runsReply } from '../../run-reads.ts';
import { presentRun, submissionProblems } from '../../runs.ts';
import { defineOperation } from '../../services.ts';
import {
  evaluationInput,
  findVersion,
  HOLDOUT_SHARE,
  openVersion,
} from '#lib/modeling/model-run.repository.ts';

const job = evaluationsJob;

export const createEvaluation = defineOperation({
  key: 'lqm.evaluations.create',
  product: 'Model building (LQM)',
  method: 'POST',
  path: '/lqm/models/{uid}/evaluations',
  scope: 'lqm:build:run',
  addition: true,
  summary:
    'Evaluates the checkpoint of a numeric model on months that it was not fitted on, and seals the answer.',
  description:
    'The model is fitted without the last months, which are then told of one step ahead, beside one normal distribution.',
  body: Closed(
    {
      version: Type.Optional({
        ...LqmVersionNumber,
        description: 'The version. The newest when it is left out.',
      }),
      holdout_share: Type.Optional({ ...EvaluationInput.properties.holdout_share, default: HOLDOUT_SHARE }),
    },
    { title: 'ModelEvaluationRequest', description: 'Which version.' },
  ),
  bodyOptional: true,
  success: { status: 201, description: 'The evaluation, sealed.', schema: SealedRun(job) },
  accepted: OpenRun(job),
  problems: [
    'not_found',
    'model_version_closed',
    'no_checkpoint',
    'dataset_not_governed',
    ...job.problems,
    ...submissionProblems,
  ],
  async handle(call) {
    const { services, body, params } = call;
    const submitted = await services.runs.submit(job, call, async (em) => {
      const version = openVersion(await findVersion(em, params.uid, body.version));
      return {
        input: await evaluationInput(em, version, body.holdout_share ?? HOLDOUT_SHARE),
      };
    });
    return services.runs.answer(job, call, submitted);
  },
});

export const listEvaluations = defineOperation({
  key: 'lqm.evaluations.list',
  product: 'Model building (LQM)',
  method: 'GET',
  path: job.resource,
  scope: 'ml:read',
  addition: true,
  summary: 'Lists evaluations of numeric models, newest first, without their results.',
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

export const getEvaluation = defineOperation({
  key: 'lqm.evaluations.get',
  product: 'Model building (LQM)',
  method: 'GET',
  path: `${job.resource}/{uid}`,
  scope: 'ml:read',
  addition: true,
  summary: 'Reads an evaluation, and waits for its end on request.',
  description: 'An evaluation that was refused after it was accepted reads 200 with the state `failed`.',
  query: Closed(waitQuery),
  success: { status: 200, description: 'The run, sealed once it has succeeded.', schema: RunResource(job) },
  problems: ['not_found'],
  async handle(call) {
    const found = (await readRun(call, [job.key])) ?? call.fail('not_found', 'There is no such evaluation.');
    return { status: 200, body: presentRun(found) };
  },
});
