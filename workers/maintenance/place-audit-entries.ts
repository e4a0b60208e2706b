import { inPlatform, inTenant, type Orm } from '#lib/database/orm.ts';
import { placePending, tenantsWithPending } from '#lib/audit/sequencer.repository.ts';

/** Gives the entries of all audit logs their places in the Merkle trees, one log a transaction. Returns how many. */
export async function placeAuditEntries(orm: Orm): Promise<number> {
  let placed = 0;
  for (const tenant of await inPlatform(orm, tenantsWithPending)) {
    placed += await inTenant(orm, tenant, placePending);
  }
  return placed;
}
