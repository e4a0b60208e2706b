import Type from 'typebox';
import { LqmModelUid } from '#lib/models/registry/checkpoint.schema.ts';
import { evaluationsRun } from '#lib/models/training/evaluations.run.ts';
import { defineRunList, defineRunRead, defineRunSubmission } from '../../run-operations.ts';
import { EvaluationRequestBody } from '#lib/models/training/model-run-request.schema.ts';

export const createEvaluation = defineRunSubmission(evaluationsRun, {
  key: 'lqm.evaluations.create',
  product: 'Model building (LQM)',
  addition: true,
  summary: 'Evaluates a numeric model on held-out months, and seals the evaluation.',
  description:
    'The model is fitted without the last months and predicts each of them one step ahead. The predictions are compared with a single normal distribution.',
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
    model_uid: Type.Optional({ ...LqmModelUid, description: 'Returns only evaluations of this model.' }),
  },
});

export const getEvaluation = defineRunRead(evaluationsRun, {
  key: 'lqm.evaluations.get',
  product: 'Model building (LQM)',
  scope: 'ml:read',
  summary: 'Returns an evaluation, and optionally waits until the run ends.',
  description: 'If an evaluation fails after it was accepted, the answer is 200 with the state `failed`.',
  noun: 'evaluation',
});
