import { canonicalHash } from '#lib/core/seal.ts';
import type { Em } from '#lib/database/base.ts';
import { readAnyCheckpoint } from '#lib/models/registry/checkpoint.query.ts';
import type { PredictionCheckpoint, PredictionTask } from '#lib/models/registry/prediction.schema.ts';

/**
 * Reads the checkpoints of those ensemble members that are model versions, by uid of their training. Throws if a
 * checkpoint does not match its hash.
 */
export async function readMemberCheckpoints(
  em: Em,
  task: PredictionTask | undefined,
): Promise<Record<string, PredictionCheckpoint>> {
  if (task?.fit.family !== 'ensemble') return {};
  const found: Record<string, PredictionCheckpoint> = {};
  for (const { version } of task.fit.members) {
    if (!version) continue;
    const checkpoint = await readAnyCheckpoint(em, version.training_uid);
    if ('regimes' in checkpoint || canonicalHash(checkpoint) !== version.checkpoint_hash)
      throw new Error(
        `the checkpoint of ${version.training_uid} does not match the hash that the ensemble names`,
      );
    found[version.training_uid] = checkpoint;
  }
  return found;
}
