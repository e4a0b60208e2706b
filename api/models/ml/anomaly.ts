import Type from 'typebox';
import { anomalyRun } from '#lib/models/anomaly/anomaly.run.ts';
import { anomalyMethods } from '#lib/models/anomaly/anomaly-methods.ts';
import { AnomalyRequestBody } from '#lib/models/anomaly/anomaly.schema.ts';
import { defineRunList, defineRunRead, defineRunSubmission } from '../../run-operations.ts';

export const createAnomalyRun = defineRunSubmission(anomalyRun, {
  key: 'ml.anomaly.create',
  product: 'Models',
  summary: 'Scores rows by how far they are from what is usual, and seals the scores.',
  description:
    'What is usual is learnt from a governed numeric dataset, from `reference`, or from the rows themselves; rows that are ' +
    'scored never change it. Every score comes with the share of the reference that is at least as strange, a flag that ' +
    'holds the false discovery rate, and the columns it rests on.',
  body: AnomalyRequestBody,
  sealed: 'The scores, sealed.',
});

export const listAnomalyRuns = defineRunList(anomalyRun, {
  key: 'ml.anomaly.list',
  product: 'Models',
  scope: 'ml:read',
  summary: 'Lists scorings of rows, newest first, without their results.',
  filters: {
    method: Type.Optional(Type.Enum([...anomalyMethods], { description: 'Only runs by this method.' })),
  },
});

export const getAnomalyRun = defineRunRead(anomalyRun, {
  key: 'ml.anomaly.get',
  product: 'Models',
  scope: 'ml:read',
  summary: 'Reads a scoring of rows, and waits for its end on request.',
  description:
    'The result names the strangest rows; `include=scores` adds all of them in the order they were given in.',
  noun: 'scoring',
  include: { name: 'scores', description: 'Adds the score of every row.' },
});
