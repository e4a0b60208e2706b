import Type from 'typebox';
import { researchRunsRun } from '#lib/research/research-runs.run.ts';
import { ExperimentRequestBody } from '#lib/research/research-runs.schema.ts';
import { ProjectId } from '#lib/research/research-snapshots.schema.ts';
import { defineRunList, defineRunRead, defineRunSubmission } from '../../../run-operations.ts';

export const createResearchRun = defineRunSubmission(researchRunsRun, {
  key: 'quant.research.runs.create',
  product: 'Quant',
  summary: 'Tests how well the features of sealed snapshots predicted a later target, and seals the result.',
  description:
    'For each feature and horizon, the result contains information coefficients (Spearman and Pearson) ' +
    'with their t-statistics and Newey-West t-statistics over the dates, and the spread: the mean target of ' +
    'the highest group minus the mean target of the lowest group. The result also contains the turnover of ' +
    'the highest group and the correlations of the features. The horizon date is the as-of date plus the ' +
    'horizon. The target is the last value that is dated within the month that ends on the horizon date. If ' +
    'the horizon equals `span_months`, the target must be dated on the horizon date itself: an earlier value ' +
    'would also cover days before the as-of date.',
  body: ExperimentRequestBody,
  sealed: 'The sealed experiment.',
});

export const listResearchRuns = defineRunList(researchRunsRun, {
  key: 'quant.research.runs.list',
  product: 'Quant',
  scope: 'quant:research:read',
  summary: 'Lists experiments, newest first, without their results.',
  filters: {
    project_id: Type.Optional({
      ...ProjectId,
      description: 'Returns only experiments of this project, by id.',
    }),
  },
});

export const getResearchRun = defineRunRead(researchRunsRun, {
  key: 'quant.research.runs.get',
  product: 'Quant',
  scope: 'quant:research:read',
  summary: 'Returns an experiment, and optionally waits until the run ends.',
  noun: 'research run',
  include: { name: 'series', description: 'Adds the statistics for each date.' },
});
