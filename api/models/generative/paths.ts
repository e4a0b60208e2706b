import { pathsRun } from '#lib/models/scenarios/paths.run.ts';
import { PathRequestBody } from '#lib/models/scenarios/paths.schema.ts';
import { defineRunSubmission } from '../../run-operations.ts';

export const createPathRun = defineRunSubmission(pathsRun, {
  key: 'generative.paths.create',
  product: 'Generative',
  summary: 'Draws seeded multi-month paths with regime changes, and seals their statistics and hashes.',
  description:
    'The run uses the approved model version that is the serving version of the workspace. Returns are normal in each regime, and the regime changes from month to month by the transition probabilities of the model. Each path has its own random number stream, so the same seed gives bit-identical samples on any number of workers. A path of one month equals the scenario of the same seed without antithetic samples.',
  body: PathRequestBody,
  sealed: 'The sealed paths.',
});
