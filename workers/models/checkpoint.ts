import { canonicalHash } from '#lib/core/seal.ts';
import type { Em } from '#lib/database/base.ts';
import { readCheckpoint } from '#lib/models/registry/checkpoint.query.ts';
import type { Checkpoint } from '#lib/models/registry/checkpoint.schema.ts';

/** Reads the checkpoint of a run and checks its hash. */
export async function loadCheckpoint(
  em: Em,
  named: { training_uid: string; checkpoint_hash: string },
): Promise<Checkpoint> {
  const checkpoint = await readCheckpoint(em, named.training_uid);
  if (canonicalHash(checkpoint) !== named.checkpoint_hash)
    throw new Error('the checkpoint differs from the approved checkpoint');
  return checkpoint;
}
