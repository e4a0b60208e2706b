import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Uid } from '#lib/core/schema.ts';
import { qlmEvaluationsRun } from '#lib/qlms/evaluation/qlm-evaluations.run.ts';
import { defineRunList, defineRunRead } from '../run-operations.ts';

export const listQuestionModelEvaluations = defineRunList(qlmEvaluationsRun, {
  key: 'qlms.evaluations.list',
  product: 'Model building (QLM)',
  scope: 'qlm:read',
  summary: 'Lists the evaluations of question models.',
  filters: {
    model_uid: Type.Optional(Uid(prefixes.qlmModel, 'Returns only evaluations of this question model.')),
  },
});

export const getQuestionModelEvaluation = defineRunRead(qlmEvaluationsRun, {
  key: 'qlms.evaluations.get',
  product: 'Model building (QLM)',
  scope: 'qlm:read',
  noun: 'evaluation of a question model',
  summary: 'Returns an evaluation of a question model.',
});
