import { sealSnapshot } from '#lib/commercial/value-snapshot.repository.ts';
import { inTenant } from '#lib/database/orm.ts';
import type { Backend } from './backends.ts';
import type { Tenancy } from './build.ts';

/** A snapshot of the value of a workspace, as the clock would seal it. Its uid. */
export async function createValueSnapshot(backend: Backend, tenancy: Tenancy): Promise<string> {
  const { workspace, environment } = tenancy;
  const { uid } = await inTenant(backend.orm('worker'), { workspace, environment }, (em) =>
    sealSnapshot(em, { now: new Date(), actor: { kind: 'system' } }),
  );
  return uid;
}
