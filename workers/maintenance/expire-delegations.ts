import { systemClock } from '#lib/core/clock.ts';
import { expireDue, tenantsWithDue } from '#lib/actions/delegation/expire.repository.ts';
import { inPlatform, inTenant, type Orm } from '#lib/database/orm.ts';

/** Ends drafts and delegations whose time is over, and shows reservations that nobody has ended. */
export async function expireDelegations(orm: Orm, now = systemClock.now()): Promise<number> {
  let count = 0;
  for (const tenant of await inPlatform(orm, (em) => tenantsWithDue(em, now))) {
    count += await inTenant(orm, tenant, (em) => expireDue(em, tenant, now));
  }
  return count;
}
