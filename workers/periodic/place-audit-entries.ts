import { systemClock } from '#lib/core/clock.ts';
import type { Orm } from '#lib/database/base.ts';
import { inPlatform, inTenant } from '#lib/database/orm.ts';
import { tenantsWithPending } from '#lib/audit/sequencer.write.ts';
import { placeEntries } from '#lib/events/publish.write.ts';

/**
 * Gives all new entries of the audit logs their position in the log tree, and creates their events, one log
 * per transaction. Returns the number of these entries.
 */
export async function placeAuditEntries(orm: Orm): Promise<number> {
  let placed = 0;
  for (const tenant of await inPlatform(orm, tenantsWithPending)) {
    placed += await inTenant(orm, tenant, (em) => placeEntries(em, systemClock.now()));
  }
  return placed;
}
