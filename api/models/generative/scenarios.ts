import { Closed } from '#lib/core/schema.ts';
import { scenariosRun } from '#lib/models/scenarios/scenarios.run.ts';
import { scenarioOptions, ScenarioRequestBody } from '#lib/models/scenarios/scenarios.schema.ts';
import { defineRunSubmission } from '../../run-operations.ts';

export const createScenarioRun = defineRunSubmission(scenariosRun, {
  key: 'generative.scenarios.create',
  product: 'Generative',
  summary:
    'Draws seeded one-month scenarios by regime, optionally under shocks, and seals their statistics and hashes.',
  description:
    'The run uses the approved model version that is the serving version of the workspace. Factors without a shock are drawn conditional on the shocked factors, from the distribution of the regime. Each sample has its own random number stream, so the same seed gives bit-identical samples on any number of workers.',
  query: Closed(scenarioOptions),
  body: ScenarioRequestBody,
  sealed: 'The sealed scenarios.',
});
