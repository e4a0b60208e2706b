import Type from 'typebox';
import { LqmModelUid } from '#lib/models/registry/checkpoint.schema.ts';
import { evaluationsRun } from '#lib/models/training/evaluations.run.ts';
import { defineRunList, defineRunRead, defineRunSubmission } from '../../run-operations.ts';
import { EvaluationRequestBody } from '#lib/models/training/model-run-request.schema.ts';

export const createEvaluation = defineRunSubmission(evaluationsRun, {
  key: 'lqm.evaluations.create',
  product: 'Model building (LQM)',
  addition: true,
  summary:
    'Evaluates the checkpoint of a numeric model on months it was not fitted on, and seals the evaluation.',
  description:
    'Fits the model without the last months, predicts each of those months one step ahead, and compares the predictions with a single normal distribution.',
  body: EvaluationRequestBody,
  bodyOptional: true,
  subject: 'model_uid',
  sealed: 'The sealed evaluation.',
});

export const listEvaluations = defineRunList(evaluationsRun, {
  key: 'lqm.evaluations.list',
  product: 'Model building (LQM)',
  scope: 'ml:read',
  summary: 'Lists evaluations of numeric models, newest first, without their results.',
  filters: {
    model_uid: Type.Optional(LqmModelUid),
  },
});

export const getEvaluation = defineRunRead(evaluationsRun, {
  key: 'lqm.evaluations.get',
  product: 'Model building (LQM)',
  scope: 'ml:read',
  summary: 'Reads an evaluation, optionally waiting until it ends.',
  description: 'An evaluation that was refused after it was accepted returns 200 with the state `failed`.',
  noun: 'evaluation',
});
