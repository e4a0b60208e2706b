import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { inTenant } from '#lib/database/orm.ts';
import type { LqmDefinition } from '#lib/registry/lqm.ts';
import { LqmModel, LqmVersion } from '#lib/registry/lqm.entity.ts';
import type { Backend } from './backends.ts';
import type { Tenancy } from './build.ts';

const definition: LqmDefinition = {
  family: 'regime_ghmm',
  columns: [{ name: 'KO', unit: 'log_return' }],
  dataset: { id: 1, uid: newUid(prefixes.dataset), revision: 1, content_hash: '0'.repeat(64) },
  regimes_max: 3,
  max_age_days: 45,
};

/** A version of a model in either environment, as a record alone: its dataset is not there. */
export function createNumericModel(backend: Pick<Backend, 'orm'>, tenancy: Tenancy): Promise<string> {
  const uid = newUid(prefixes.lqmModel);
  const { workspace: workspaceUid, environment, person } = tenancy;
  const createdAt = new Date();
  return inTenant(backend.orm('operator'), tenancy, async (em) => {
    em.create(LqmModel, {
      uid,
      workspaceUid,
      environment,
      key: uid.toLowerCase(),
      name: 'Regimes',
      family: 'regime_ghmm',
      createdByUid: person,
      createdAt,
    });
    await em.flush();
    em.create(LqmVersion, {
      uid: newUid(prefixes.lqmVersion),
      workspaceUid,
      environment,
      modelUid: uid,
      version: 1,
      definition,
      contentHash: canonicalHash(definition),
      authorUid: person,
      createdAt,
      evaluationUid: null,
      checkpointHash: null,
      approvedByUid: null,
      approvedAt: null,
      retiredByUid: null,
      retiredAt: null,
      retiredReason: null,
    });
    await em.flush();
    return uid;
  });
}
