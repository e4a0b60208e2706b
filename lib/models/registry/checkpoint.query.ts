import { sql } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';
import type { Checkpoint } from './checkpoint.schema.ts';
import type { AnyCheckpoint } from './model-run.schema.ts';

/**
 * Reads the regime checkpoint that a training of the tenant sealed. Throws if the checkpoint does not exist or is of
 * another family.
 */
export async function readCheckpoint(em: Em, trainingUid: string): Promise<Checkpoint> {
  const checkpoint = await readAnyCheckpoint(em, trainingUid);
  if ('regimes' in checkpoint) return checkpoint;
  throw new Error(`the training ${trainingUid} has no regime checkpoint`);
}

/** Reads the checkpoint that a training of the tenant sealed. Throws if the checkpoint does not exist. */
export async function readAnyCheckpoint(em: Em, trainingUid: string): Promise<AnyCheckpoint> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<{ checkpoint: AnyCheckpoint }>`
    select members #> '{result,checkpoint}' as checkpoint from run_result
    where run_uid = ${trainingUid} and workspace_uid = ${workspace} and environment = ${environment}
  `.execute(em.getKysely());
  const [row] = rows;
  if (!row) throw new Error(`the training ${trainingUid} has no result`);
  return row.checkpoint;
}
