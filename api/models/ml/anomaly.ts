import Type from 'typebox';
import { anomalyRun } from '#lib/models/anomaly/anomaly.run.ts';
import { anomalyMethods } from '#lib/models/anomaly/anomaly-methods.ts';
import { AnomalyRequestBody } from '#lib/models/anomaly/anomaly.schema.ts';
import { defineRunList, defineRunRead, defineRunSubmission } from '../../run-operations.ts';

export const createAnomalyRun = defineRunSubmission(anomalyRun, {
  key: 'ml.anomaly.create',
  product: 'Models',
  summary: 'Scores how unusual rows are, and seals the scores.',
  description:
    'The reference is a governed numeric dataset, the rows in `reference`, or the scored rows themselves. Scoring never changes the reference. Each score has a p-value (the share of reference rows that are at least as unusual), a flag at the requested false discovery rate, and the columns that contribute most.',
  body: AnomalyRequestBody,
  sealed: 'The sealed scores.',
});

export const listAnomalyRuns = defineRunList(anomalyRun, {
  key: 'ml.anomaly.list',
  product: 'Models',
  scope: 'ml:read',
  summary: 'Lists anomaly scoring runs, newest first, without their results.',
  filters: {
    method: Type.Optional(
      Type.Enum([...anomalyMethods], { description: 'Returns only runs that used this method.' }),
    ),
  },
});

export const getAnomalyRun = defineRunRead(anomalyRun, {
  key: 'ml.anomaly.get',
  product: 'Models',
  scope: 'ml:read',
  summary: 'Returns an anomaly scoring run, and optionally waits until it ends.',
  description:
    'The result lists the most unusual rows. `include=scores` adds all rows in the order of the request.',
  noun: 'scoring',
  include: { name: 'scores', description: 'Adds the score of every row.' },
});
