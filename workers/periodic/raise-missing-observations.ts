import { systemClock } from '#lib/core/clock.ts';
import {
  batchesWithOverdueOrders,
  tenantsWithOpenBatches,
} from '#lib/actions/execution/reconciliation/missing-observations.query.ts';
import { raiseMissing } from '#lib/actions/execution/reconciliation/raise-missing.command.ts';
import type { Orm } from '#lib/database/base.ts';
import { inPlatform, inTenant } from '#lib/database/orm.ts';
import { govern } from '#lib/governance/govern.ts';

/**
 * Raises an exception for each order that no custodian has reported as fully settled by one business day
 * after its settlement date, one batch per transaction. Returns the number of batches.
 */
export async function raiseMissingObservations(orm: Orm, now = systemClock.now()): Promise<number> {
  const clock = { now: () => now };
  let raised = 0;
  for (const tenant of await inPlatform(orm, tenantsWithOpenBatches)) {
    for (const uid of await inTenant(orm, tenant, (em) => batchesWithOverdueOrders(em, now))) {
      const made = await govern(orm, raiseMissing, { uid }, { actor: { kind: 'system' }, clock });
      if (made.ok && made.result.isChanged) raised += 1;
    }
  }
  return raised;
}
