import { prefixes } from '#lib/core/prefix.ts';
import { defineRun } from '#lib/pipeline/define-run.ts';
import { Closed } from '#lib/core/schema.ts';
import { CELLS_MAX, HORIZON, PathInput, PathRequestBody, PathResult, PATHS } from './paths.schema.ts';
import { utcDate } from '#lib/core/clock.ts';
import { invalid, type Fault } from '#lib/core/problem.ts';
import { drawSeed } from '#lib/core/seed.ts';
import { readCheckpoint } from '#lib/models/registry/checkpoint.query.ts';
import {
  contextProblems,
  namedModel,
  regimeFaults,
  servedContext,
  servedModel,
} from './served-model.query.ts';

export const pathsRun = defineRun({
  key: 'generative.paths',
  prefix: prefixes.pathRun,
  queue: 'numerics',
  scope: 'generative:inference',
  resource: '/generative/runs',
  submission: '/generative/paths',
  model: 'svc_paths_v1',
  request: PathRequestBody,
  input: PathInput,
  summary: ['model_uid', 'version_uid', 'regime', 'horizon', 'paths', 'seed'],
  output: Closed({ result: PathResult }),
  attachments: Closed({}),
  refusals: contextProblems,
  problems: [],
  timeoutMs: 300_000,
  attempts: 20,
  async resolve(em, request, { now }) {
    const { regime, horizon = HORIZON.default, paths = PATHS.default, seed = drawSeed() } = request;
    const model = await servedModel(em);
    const checkpoint = await readCheckpoint(em, model.trainingUid);
    const faults = [
      ...regimeFaults(regime, checkpoint),
      ...sizeFaults(paths, horizon, checkpoint.factors.length),
    ];
    if (faults.length) throw invalid(faults);
    const context = await servedContext(em, model, utcDate(now));
    return { input: { ...namedModel(model), regime, horizon, paths, seed, context } };
  },
});

/** Returns a fault if the paths exceed the maximum size of a run. */
function sizeFaults(paths: number, horizon: number, factors: number): Fault[] {
  const max = Math.floor(CELLS_MAX / (horizon * factors));
  if (paths <= max) return [];
  const message = `must be at most ${max} for ${horizon} months of ${factors} factors`;
  return [{ pointer: '/paths', in: 'body', code: 'maximum', message }];
}
