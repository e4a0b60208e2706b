import Type from 'typebox';
import { researchRunsRun } from '#lib/research/research-runs.run.ts';
import { ExperimentRequestBody } from '#lib/research/research-runs.schema.ts';
import { ProjectId } from '#lib/research/research-snapshots.schema.ts';
import { defineRunList, defineRunRead, defineRunSubmission } from '../../../run-operations.ts';

export const createResearchRun = defineRunSubmission(researchRunsRun, {
  key: 'quant.research.runs.create',
  product: 'Quant',
  summary: 'Asks how well the features of sealed snapshots told of a target, and seals the answer.',
  description:
    'By feature and horizon: information coefficients (Spearman and Pearson) with t and Newey-West t over the dates, the ' +
    'mean target of the highest group less that of the lowest; the turnover of the highest group; and the ' +
    'correlations of the features. The target of a horizon is the last value of the month which ends so many months ' +
    'after the as-of date; where the horizon is the span, only of its last day, as an earlier one would look back ' +
    'behind the as-of date.',
  body: ExperimentRequestBody,
  sealed: 'The experiment, sealed.',
});

export const listResearchRuns = defineRunList(researchRunsRun, {
  key: 'quant.research.runs.list',
  product: 'Quant',
  scope: 'quant:research:read',
  summary: 'Lists experiments, newest first, without their results.',
  filters: {
    project_id: Type.Optional(ProjectId),
  },
});

export const getResearchRun = defineRunRead(researchRunsRun, {
  key: 'quant.research.runs.get',
  product: 'Quant',
  scope: 'quant:research:read',
  summary: 'Reads an experiment, and waits for its end on request.',
  noun: 'research run',
  include: { name: 'series', description: 'Adds the statistics date by date.' },
});
