import { systemClock } from '#lib/core/clock.ts';
import { sealDueSnapshot, tenantsWithActions } from '#lib/commercial/value-snapshot.write.ts';
import type { Orm } from '#lib/database/base.ts';
import { inPlatform, inTenant } from '#lib/database/orm.ts';

/**
 * Seals a value snapshot for every workspace that has financial actions and whose next snapshot is due. Returns the
 * number of snapshots.
 */
export async function sealValueSnapshots(orm: Orm, now = systemClock.now()): Promise<number> {
  let sealed = 0;
  for (const tenant of await inPlatform(orm, tenantsWithActions)) {
    if (await inTenant(orm, tenant, (em) => sealDueSnapshot(em, now))) sealed += 1;
  }
  return sealed;
}
