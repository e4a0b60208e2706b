import Type from 'typebox';
import { OpenRun, SealedRun } from '#lib/pipeline/run.schema.ts';
import { findVersions, pinVersions } from '#lib/quant/feature-version.repository.ts';
import { researchRunsRun } from '#lib/quant/research-runs.run.ts';
import { ExperimentRequestBody } from '#lib/quant/research-runs.schema.ts';
import { ProjectId } from '#lib/quant/research-snapshots.schema.ts';
import { submissionProblems } from '../../runs.ts';
import { defineRunList, defineRunRead } from '../../run-operations.ts';
import { defineOperation } from '../../services.ts';
import { experimentInput } from './experiment-input.ts';

const job = researchRunsRun;

export const createResearchRun = defineOperation({
  key: 'quant.research.runs.create',
  product: 'Quant',
  method: 'POST',
  path: '/quant/research/runs',
  scope: 'quant:research:run',
  summary: 'Asks how well the features of sealed snapshots told of a target, and seals the answer.',
  description:
    'By feature and horizon: information coefficients (Spearman and Pearson) with t and Newey-West t over the dates, the ' +
    'mean target of the highest group less that of the lowest; the turnover of the highest group; and the ' +
    'correlations of the features. The target of a horizon is the last value of the month which ends so many months ' +
    'after the as-of date; where the horizon is the span, only of its last day, as an earlier one would look back ' +
    'behind the as-of date.',
  body: ExperimentRequestBody,
  success: { status: 201, description: 'The experiment, sealed.', schema: SealedRun(job) },
  accepted: OpenRun(job),
  problems: [
    'not_found',
    'snapshots_differ',
    'experiment_too_large',
    'unknown_feature',
    'leakage',
    ...job.problems,
    ...submissionProblems,
  ],
  async handle(call) {
    const { services, body } = call;
    const submitted = await services.runs.submit(job, call, async (em) => {
      const input = await experimentInput(em, body, services.clock.now());
      const { feature: key, version } = input.target;
      const ids = (await findVersions(em, [{ key, version }])).map(({ id }) => id);
      return { input, datasetRevisions: await pinVersions(em, ids) };
    });
    return services.runs.answer(job, call, submitted);
  },
});

export const listResearchRuns = defineRunList(job, {
  key: 'quant.research.runs.list',
  product: 'Quant',
  scope: 'quant:research:read',
  summary: 'Lists experiments, newest first, without their results.',
  filters: {
    project_id: Type.Optional(ProjectId),
  },
});

export const getResearchRun = defineRunRead(job, {
  key: 'quant.research.runs.get',
  product: 'Quant',
  scope: 'quant:research:read',
  summary: 'Reads an experiment, and waits for its end on request.',
  noun: 'research run',
  include: { name: 'series', description: 'Adds the statistics date by date.' },
});
