import { systemClock } from '#lib/core/clock.ts';
import type { Orm } from '#lib/database/base.ts';
import { inPlatform, inTenant } from '#lib/database/orm.ts';
import { closableDays } from '#lib/infrastructure/usage/closed-buckets.ts';
import { foldCounts } from '#lib/infrastructure/usage/fold-counts.write.ts';
import { meterKeys } from '#lib/infrastructure/usage/meters.ts';
import { readRecorded } from '#lib/infrastructure/usage/usage-records.query.ts';
import { closedDays, storeClosed, usagePlaces } from '#lib/infrastructure/usage/usage.query.ts';

/**
 * Stores the usage of the days that ended at least 48 hours ago, for every environment with an application, one
 * environment per transaction, and then folds the counts of old days. Returns the number of stored buckets.
 */
export async function closeUsage(orm: Orm, now = systemClock.now()): Promise<number> {
  const days = closableDays(now);
  const period = { from: days[0]!.from, to: days.at(-1)!.to };
  let stored = 0;
  for (const tenant of await inPlatform(orm, usagePlaces)) {
    stored += await inTenant(orm, tenant, async (em) => {
      let own = 0;
      for (const meter of meterKeys) {
        const known = new Set((await closedDays(em, meter, period)).map(({ day }) => day));
        const open = days.filter(({ from }) => !known.has(from.toISOString()));
        if (open.length === 0) continue;
        own += await storeClosed(em, meter, { days: await readRecorded(em, meter, open), now });
      }
      await foldCounts(em, now);
      return own;
    });
  }
  return stored;
}
