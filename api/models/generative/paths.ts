import { pathsRun } from '#lib/models/scenarios/paths.run.ts';
import { PathRequestBody } from '#lib/models/scenarios/paths.schema.ts';
import { defineRunSubmission } from '../../run-operations.ts';

export const createPathRun = defineRunSubmission(pathsRun, {
  key: 'generative.paths.create',
  product: 'Generative',
  summary:
    'Draws seeded paths of several months with changes of regime, and seals their statistics and hashes.',
  description:
    'From the approved model that serves the workspace: normal returns in each regime, and regimes that follow one another ' +
    'by its transitions. The stream of random numbers belongs to the path, so the same seed gives the same bits on any ' +
    'number of workers; a path of one month is the scenario of the same seed without antithetic samples.',
  body: PathRequestBody,
  sealed: 'The paths, sealed.',
});
