import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import type { Em } from '#lib/database/base.ts';
import { LqmVersion, type LqmModel } from '#lib/models/registry/lqm.entity.ts';
import type { LqmDefinition } from '#lib/models/registry/lqm.ts';

/** Writes the next version of a model in the caller's transaction. This transaction must hold the lock on the model. */
export async function writeVersion(
  em: Em,
  { uid: modelUid, workspaceUid, environment }: LqmModel,
  { definition, by, now }: { definition: LqmDefinition; by: string; now: Date },
): Promise<LqmVersion> {
  const newest = await em.findOne(LqmVersion, { modelUid }, { orderBy: { version: 'desc' } });
  const version = em.create(LqmVersion, {
    uid: newUid(prefixes.lqmVersion),
    workspaceUid,
    environment,
    modelUid,
    version: (newest?.version ?? 0) + 1,
    definition,
    contentHash: canonicalHash(definition),
    authorUid: by,
    createdAt: now,
    evaluationUid: null,
    checkpointHash: null,
    approvedByUid: null,
    approvedAt: null,
    retiredByUid: null,
    retiredAt: null,
    retiredReason: null,
  });
  await em.flush();
  return version;
}
