import Type from 'typebox';
import { Closed, ListOf, pageQuery, waitQuery } from '#lib/core/schema.ts';
import { LqmModelUid, LqmVersionNumber } from '#lib/registry/checkpoint.schema.ts';
import { trainingsJob } from '#lib/modeling/trainings.job.ts';
import { runStates } from '#lib/pipeline/run.ts';
import { OpenRun, RunResource, RunSummary, SealedRun } from '#lib/pipeline/run.schema.ts';
import { readRun, runsReply } from '../../run-reads.ts';
import { presentRun, submissionProblems } from '../../runs.ts';
import { defineOperation } from '../../services.ts';
import { findVersion, openVersion, trainingInput } from '#lib/modeling/model-run.repository.ts';

const job = trainingsJob;

export const createTraining = defineOperation({
  key: 'lqm.trainings.create',
  product: 'Model building (LQM)',
  method: 'POST',
  path: '/lqm/models/{uid}/trainings',
  scope: 'lqm:build:run',
  addition: true,
  summary: 'Trains a version of a numeric model on the dataset that it names, and seals the checkpoint.',
  description:
    'Deterministic: the same content gives the same checkpoint. What is approved or retired is not trained again.',
  body: Closed(
    {
      version: Type.Optional({
        ...LqmVersionNumber,
        description: 'The version. The newest when it is left out.',
      }),
    },
    { title: 'ModelTrainingRequest', description: 'Which version.' },
  ),
  bodyOptional: true,
  success: { status: 201, description: 'The training, sealed.', schema: SealedRun(job) },
  accepted: OpenRun(job),
  problems: [
    'not_found',
    'model_version_closed',
    'dataset_not_governed',
    ...job.problems,
    ...submissionProblems,
  ],
  async handle(call) {
    const { services, body, params } = call;
    const submitted = await services.runs.submit(job, call, async (em) => {
      const version = openVersion(await findVersion(em, params.uid, body.version));
      return { input: await trainingInput(em, version) };
    });
    return services.runs.answer(job, call, submitted);
  },
});

export const listTrainings = defineOperation({
  key: 'lqm.trainings.list',
  product: 'Model building (LQM)',
  method: 'GET',
  path: job.resource,
  scope: 'ml:read',
  addition: true,
  summary: 'Lists trainings of numeric models, newest first, without their checkpoints.',
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

export const getTraining = defineOperation({
  key: 'lqm.trainings.get',
  product: 'Model building (LQM)',
  method: 'GET',
  path: `${job.resource}/{uid}`,
  scope: 'ml:read',
  addition: true,
  summary: 'Reads a training with its checkpoint, and waits for its end on request.',
  description: 'A training that was refused after it was accepted reads 200 with the state `failed`.',
  query: Closed(waitQuery),
  success: { status: 200, description: 'The run, sealed once it has succeeded.', schema: RunResource(job) },
  problems: ['not_found'],
  async handle(call) {
    const found = (await readRun(call, [job.key])) ?? call.fail('not_found', 'There is no such training.');
    return { status: 200, body: presentRun(found) };
  },
});
