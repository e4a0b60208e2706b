import type { scenariosJob } from '#lib/generative/scenarios.job.ts';
import type { Checkpoint } from '#lib/registry/checkpoint.schema.ts';
import type { Loader } from '../runner.ts';
import { loadCheckpoint } from './checkpoint.ts';

export const loadScenarios: Loader<typeof scenariosJob, Checkpoint> = (em, { input }) =>
  loadCheckpoint(em, input);
