import { systemClock, utcDate } from '#lib/core/clock.ts';
import { addDays } from '#lib/core/date.ts';
import type { Orm } from '#lib/database/base.ts';
import { inPlatform, inTenant } from '#lib/database/orm.ts';
import { governWithin } from '#lib/governance/govern.ts';
import { hasSnapshot, tenantsWithLedger } from '#lib/ledger/snapshot.query.ts';
import { takeSnapshot } from '#lib/ledger/take-snapshot.command.ts';

/**
 * Seals the balances of the previous day (UTC) for every ledger without a snapshot of that day, one ledger
 * per transaction. Returns the number of snapshots. Transactions recorded later for that day appear in the
 * next day's snapshot.
 */
export async function takeLedgerSnapshots(orm: Orm, now = systemClock.now()): Promise<number> {
  const clock = { now: () => now };
  const asOf = addDays(utcDate(now), -1);
  let taken = 0;
  for (const tenant of await inPlatform(orm, tenantsWithLedger)) {
    const made = await inTenant(orm, tenant, async (em) =>
      (await hasSnapshot(em, asOf))
        ? null
        : governWithin(
            em,
            takeSnapshot,
            { ...tenant, asOf },
            { actor: { kind: 'system' }, place: tenant, clock },
          ),
    );
    if (made?.ok && made.result.isNew) taken += 1;
  }
  return taken;
}
