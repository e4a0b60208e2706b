import type { pathsJob } from '#lib/generative/paths.job.ts';
import type { Checkpoint } from '#lib/registry/checkpoint.schema.ts';
import type { Loader } from '../runner.ts';
import { loadCheckpoint } from './checkpoint.ts';

export const loadPaths: Loader<typeof pathsJob, Checkpoint> = (em, { input }) => loadCheckpoint(em, input);
