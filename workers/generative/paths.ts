import { pathsRun } from '#lib/generative/paths.run.ts';
import type { Checkpoint } from '#lib/registry/checkpoint.schema.ts';
import { runner } from '../runner.ts';
import { loadCheckpoint } from './checkpoint.ts';

export default runner(pathsRun, {
  load: (em, { input }): Promise<Checkpoint> => loadCheckpoint(em, input),
  compute: new URL('./paths.compute.ts', import.meta.url),
});
