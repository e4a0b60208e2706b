import type { pathsRun } from '#lib/generative/paths.run.ts';
import type { Checkpoint } from '#lib/registry/checkpoint.schema.ts';
import type { Loader } from '../runner.ts';
import { loadCheckpoint } from './checkpoint.ts';

export const loadPaths: Loader<typeof pathsRun, Checkpoint> = (em, { input }) => loadCheckpoint(em, input);
