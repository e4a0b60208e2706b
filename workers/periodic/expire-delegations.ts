import { systemClock } from '#lib/core/clock.ts';
import { expireDue, tenantsWithDue } from '#lib/actions/delegations/expire.write.ts';
import { suspendLapsed } from '#lib/actions/delegations/support.write.ts';
import type { Orm } from '#lib/database/base.ts';
import { inPlatform, inTenant } from '#lib/database/orm.ts';

/**
 * Ends expired drafts and delegations, suspends delegations that lost their support because time passed, and
 * marks reservations without an outcome as stuck.
 */
export async function expireDelegations(orm: Orm, now = systemClock.now()): Promise<number> {
  let count = 0;
  for (const tenant of await inPlatform(orm, (em) => tenantsWithDue(em, now))) {
    count += await inTenant(orm, tenant, (em) => expireDue(em, tenant, now));
    count += (await inTenant(orm, tenant, (em) => suspendLapsed(em, tenant, now))).length;
  }
  return count;
}
