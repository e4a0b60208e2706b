import { pathsRun } from '#lib/models/scenarios/paths.run.ts';
import type { Checkpoint } from '#lib/models/registry/checkpoint.schema.ts';
import { runner } from '../process/runner.ts';
import { loadCheckpoint } from './checkpoint.ts';

export default runner(pathsRun, {
  load: (em, { input }): Promise<Checkpoint> => loadCheckpoint(em, input),
  compute: new URL('./paths.compute.ts', import.meta.url),
});
