import Type from 'typebox';
import { Closed } from '#lib/core/schema.ts';
import { LqmModelUid, LqmVersionNumber } from '#lib/registry/checkpoint.schema.ts';
import { trainingsRun } from '#lib/modeling/trainings.run.ts';
import { OpenRun, SealedRun } from '#lib/pipeline/run.schema.ts';
import { submissionProblems } from '../../runs.ts';
import { defineRunList, defineRunRead } from '../../run-operations.ts';
import { defineOperation } from '../../services.ts';
import { findVersion, openVersion, trainingInput } from '#lib/modeling/model-run.repository.ts';

const job = trainingsRun;

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

export const listTrainings = defineRunList(job, {
  key: 'lqm.trainings.list',
  product: 'Model building (LQM)',
  scope: 'ml:read',
  summary: 'Lists trainings of numeric models, newest first, without their checkpoints.',
  filters: {
    model_uid: Type.Optional(LqmModelUid),
  },
});

export const getTraining = defineRunRead(job, {
  key: 'lqm.trainings.get',
  product: 'Model building (LQM)',
  scope: 'ml:read',
  summary: 'Reads a training with its checkpoint, and waits for its end on request.',
  description: 'A training that was refused after it was accepted reads 200 with the state `failed`.',
  noun: 'training',
});
