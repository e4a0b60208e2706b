import { systemClock } from '#lib/core/clock.ts';
import type { Orm } from '#lib/database/base.ts';
import { inPlatform, inTenant } from '#lib/database/orm.ts';
import { acquireNamedLock } from '#lib/governance/named-lock.query.ts';
import { isMeasuredOn, measureBytes, storeMeasurement } from '#lib/infrastructure/usage/storage.query.ts';
import { usagePlaces } from '#lib/infrastructure/usage/usage.query.ts';
import { tables } from '#lib/products.ts';

/**
 * Measures the stored bytes of every environment with an application, once a day (UTC), one environment per
 * transaction. Returns the number of measured environments.
 */
export async function measureStorage(orm: Orm, now = systemClock.now()): Promise<number> {
  let measured = 0;
  for (const tenant of await inPlatform(orm, usagePlaces)) {
    measured += await inTenant(orm, tenant, async (em) => {
      await acquireNamedLock(em, `storage ${tenant.workspace} ${tenant.environment}`);
      if (await isMeasuredOn(em, now)) return 0;
      await storeMeasurement(em, { tables: await measureBytes(em, tables), now });
      return 1;
    });
  }
  return measured;
}
