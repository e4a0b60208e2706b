import { systemClock } from '#lib/core/clock.ts';
import {
  batchesWithOverdueOrders,
  raiseMissing,
  tenantsWithOpenBatches,
} from '#lib/actions/execution/missing.repository.ts';
import type { Orm } from '#lib/database/base.ts';
import { inPlatform, inTenant } from '#lib/database/orm.ts';

/**
 * Raises an exception for each order that no custodian has seen settle whole by one business day after its settlement
 * date, one batch a transaction. Returns in how many batches.
 */
export async function raiseMissingObservations(orm: Orm, now = systemClock.now()): Promise<number> {
  let raised = 0;
  for (const tenant of await inPlatform(orm, tenantsWithOpenBatches)) {
    for (const uid of await inTenant(orm, tenant, (em) => batchesWithOverdueOrders(em, now))) {
      if (await inTenant(orm, tenant, (em) => raiseMissing(em, uid, now))) raised += 1;
    }
  }
  return raised;
}
