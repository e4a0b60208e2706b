import { systemClock } from '#lib/core/clock.ts';
import type { Orm } from '#lib/database/base.ts';
import { inPlatform, inTenant } from '#lib/database/orm.ts';
import { tenantsWithPending } from '#lib/audit/sequencer.write.ts';
import { placeEntries } from '#lib/events/publish.write.ts';

/**
 * Places the entries of all audit logs in their Merkle trees and creates their events, one log per
 * transaction. Returns the number of placed entries.
 */
export async function placeAuditEntries(orm: Orm): Promise<number> {
  let placed = 0;
  for (const tenant of await inPlatform(orm, tenantsWithPending)) {
    placed += await inTenant(orm, tenant, (em) => placeEntries(em, systemClock.now()));
  }
  return placed;
}
