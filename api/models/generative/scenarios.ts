import { Closed } from '#lib/core/schema.ts';
import { scenariosRun } from '#lib/models/scenarios/scenarios.run.ts';
import { scenarioOptions, ScenarioRequestBody } from '#lib/models/scenarios/scenarios.schema.ts';
import { defineRunSubmission } from '../../run-operations.ts';

export const createScenarioRun = defineRunSubmission(scenariosRun, {
  key: 'generative.scenarios.create',
  product: 'Generative',
  summary:
    'Draws seeded scenarios of one month by regime, under shocks, and seals their statistics and hashes.',
  description:
    'From the approved model that serves the workspace. The other factors follow those that are shocked as they do in the ' +
    'regime. The stream of random numbers belongs to the sample, so the same seed gives the same bits on any number of workers.',
  query: Closed(scenarioOptions),
  body: ScenarioRequestBody,
  sealed: 'The scenarios, sealed.',
});
