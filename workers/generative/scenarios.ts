import { canonicalHash } from '#lib/core/seal.ts';
import type { scenariosJob } from '#lib/generative/scenarios.job.ts';
import { readCheckpoint } from '#lib/registry/checkpoint.repository.ts';
import type { Checkpoint } from '#lib/registry/checkpoint.schema.ts';
import type { Loader } from '../runner.ts';

/** Reads the checkpoint that the run names, and holds it to its hash. */
export const loadScenarios: Loader<typeof scenariosJob, Checkpoint> = async (em, { input }) => {
  const checkpoint = await readCheckpoint(em, input.training_uid);
  if (canonicalHash(checkpoint) !== input.checkpoint_hash)
    throw new Error('the checkpoint is not what was approved');
  return checkpoint;
};
