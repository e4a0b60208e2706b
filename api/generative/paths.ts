import { utcDate } from '#lib/core/clock.ts';
import type { Fault } from '#lib/core/problem.ts';
import { pathsRun } from '#lib/generative/paths.run.ts';
import { CELLS_MOST, HORIZON, PathRequestBody, PATHS, type PathInput } from '#lib/generative/paths.schema.ts';
import { OpenRun, SealedRun } from '#lib/pipeline/run.schema.ts';
import { readCheckpoint } from '#lib/registry/checkpoint.repository.ts';
import { invalid } from '../derive/router.ts';
import { submissionProblems } from '../runs.ts';
import { defineOperation } from '../services.ts';
import { drawSeed } from './seed.ts';
import { contextProblems, namedModel, regimeFaults, servedContext, servedModel } from './served-model.ts';

const job = pathsRun;

export const createPathRun = defineOperation({
  key: 'generative.paths.create',
  product: 'Generative',
  method: 'POST',
  path: '/generative/paths',
  scope: 'generative:inference',
  summary:
    'Draws seeded paths of several months with changes of regime, and seals their statistics and hashes.',
  description:
    'From the approved model that serves the workspace: normal returns in each regime, and regimes that follow one another ' +
    'by its transitions. The stream of random numbers belongs to the path, so the same seed gives the same bits on any ' +
    'number of workers; a path of one month is the scenario of the same seed without antithetic samples.',
  body: PathRequestBody,
  success: { status: 201, description: 'The paths, sealed.', schema: SealedRun(job) },
  accepted: OpenRun(job),
  problems: [...contextProblems, ...submissionProblems],
  async handle(call) {
    const { services, body } = call;
    const today = utcDate(services.clock.now());
    const { regime, horizon = HORIZON.default, paths = PATHS.default, seed = drawSeed() } = body;
    const submitted = await services.runs.submit(job, call, async (em) => {
      const model = await servedModel(em);
      const checkpoint = await readCheckpoint(em, model.trainingUid);
      const faults = [
        ...regimeFaults(regime, checkpoint),
        ...sizeFaults(paths, horizon, checkpoint.factors.length),
      ];
      if (faults.length) throw invalid(faults);
      const context = await servedContext(em, model, today);
      const input: PathInput = { ...namedModel(model), regime, horizon, paths, seed, context };
      return { input };
    });
    return services.runs.answer(job, call, submitted);
  },
});

/** Whether the paths are more than a run may hold. */
function sizeFaults(paths: number, horizon: number, factors: number): Fault[] {
  const most = Math.floor(CELLS_MOST / (horizon * factors));
  if (paths <= most) return [];
  const message = `is ${most} at most for ${horizon} months of ${factors} factors`;
  return [{ pointer: '/paths', in: 'body', code: 'maximum', message }];
}
