import Type from 'typebox';
import { LqmModelUid } from '#lib/models/registry/checkpoint.schema.ts';
import { trainingsRun } from '#lib/models/training/trainings.run.ts';
import { defineRunList, defineRunRead, defineRunSubmission } from '../../run-operations.ts';
import { TrainingRequestBody } from '#lib/models/training/model-run-request.schema.ts';

export const createTraining = defineRunSubmission(trainingsRun, {
  key: 'lqm.trainings.create',
  product: 'Model building (LQM)',
  addition: true,
  summary: 'Trains a version of a numeric model on the dataset of the version, and seals the checkpoint.',
  description:
    'Training is deterministic: the same content gives the same checkpoint. An approved or retired version is never trained again.',
  body: TrainingRequestBody,
  bodyOptional: true,
  subject: 'model_uid',
  sealed: 'The sealed training.',
});

export const listTrainings = defineRunList(trainingsRun, {
  key: 'lqm.trainings.list',
  product: 'Model building (LQM)',
  scope: 'ml:read',
  summary: 'Lists trainings of numeric models, newest first, without their checkpoints.',
  filters: {
    model_uid: Type.Optional({ ...LqmModelUid, description: 'Returns only trainings of this model.' }),
  },
});

export const getTraining = defineRunRead(trainingsRun, {
  key: 'lqm.trainings.get',
  product: 'Model building (LQM)',
  scope: 'ml:read',
  summary: 'Returns a training with its checkpoint, and optionally waits until the run ends.',
  description: 'If a training fails after it was accepted, the answer is 200 with the state `failed`.',
  noun: 'training',
});
