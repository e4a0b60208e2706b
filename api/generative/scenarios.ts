import { utcDate } from '#lib/core/clock.ts';
import { scenariosRun } from '#lib/generative/scenarios.run.ts';
import { ScenarioRequestBody } from '#lib/generative/scenarios.schema.ts';
import { OpenRun, SealedRun } from '#lib/pipeline/run.schema.ts';
import { submissionProblems } from '../runs.ts';
import { defineOperation } from '../services.ts';
import { scenarioInput, scenarioQuery } from './scenario-input.ts';
import { contextProblems, servedModel } from './served-model.ts';

const job = scenariosRun;

export const createScenarioRun = defineOperation({
  key: 'generative.scenarios.create',
  product: 'Generative',
  method: 'POST',
  path: '/generative/scenarios',
  scope: 'generative:inference',
  summary:
    'Draws seeded scenarios of one month by regime, under shocks, and seals their statistics and hashes.',
  description:
    'From the approved model that serves the workspace. The other factors follow those that are shocked as they do in the ' +
    'regime. The stream of random numbers belongs to the sample, so the same seed gives the same bits on any number of workers.',
  query: scenarioQuery,
  body: ScenarioRequestBody,
  success: { status: 201, description: 'The scenarios, sealed.', schema: SealedRun(job) },
  accepted: OpenRun(job),
  problems: [...contextProblems, ...job.problems, ...submissionProblems],
  async handle(call) {
    const { services, body, query } = call;
    const today = utcDate(services.clock.now());
    const submitted = await services.runs.submit(job, call, async (em) => {
      const model = await servedModel(em);
      const input = await scenarioInput(em, model, { body, query, today });
      return { input };
    });
    return services.runs.answer(job, call, submitted);
  },
});
