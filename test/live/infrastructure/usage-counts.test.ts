import { expect } from 'chai';
import type { Em } from '#lib/database/base.ts';
import { inTenant } from '#lib/database/orm.ts';
import { COUNT_DAYS, foldCounts } from '#lib/infrastructure/usage/fold-counts.write.ts';
import { bucketsOf, type Bucket, type Granularity } from '#lib/infrastructure/usage/meters.ts';
import { reconcile } from '#lib/infrastructure/usage/reconcile.ts';
import { readRecorded, readUsageRecords } from '#lib/infrastructure/usage/usage-records.query.ts';
import { readUsage, storeClosed } from '#lib/infrastructure/usage/usage.query.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { onOneBackend } from '../../support/live.ts';
import { asSuperuser } from '../../support/rows.ts';

const DAY_MS = 86_400_000;
const METER = 'compute.cpu_seconds';

onOneBackend('The counts behind meters', (live) => {
  // Meters are measured from the creation of the database on, so the days of the test begin today.
  const start = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const dayAt = (place: number): Bucket => ({
    from: new Date(start + place * DAY_MS),
    to: new Date(start + (place + 1) * DAY_MS),
  });
  const later = new Date(start + (3 + COUNT_DAYS) * DAY_MS);
  let tenancy: Tenancy;
  const asWorker = <T>(work: (em: Em) => Promise<T>) => inTenant(live().orm('worker'), tenancy, work);
  const usage = (granularity: Granularity) => {
    const divided = bucketsOf(dayAt(0).from, dayAt(3).to, granularity);
    if (!divided.ok) throw new Error(divided.message);
    return asWorker((em) => readUsage(em, METER, divided.buckets));
  };
  const differences = async (granularity: Granularity) => {
    const period = { from: dayAt(0).from, to: dayAt(3).to };
    const records = await asWorker((em) => readUsageRecords(em, METER, period));
    return reconcile(METER, await usage(granularity), records);
  };
  const countRows = (table: 'usage_count' | 'usage_day') =>
    asSuperuser(live(), async (client) => {
      const { rows } = await client.query(
        `select count(*)::integer as count from ${table} where workspace_uid = $1`,
        [tenancy.workspace],
      );
      return rows[0].count;
    });

  before(async () => {
    tenancy = await buildTenancy(live());
    await asSuperuser(live(), (client) =>
      client.query(
        `insert into usage_count (workspace_uid, environment, meter, hour, process, value, counted_at)
         select $1, $2, $3, $4::timestamptz + make_interval(hours => n), 'process-' || p, n * 0.1 + p, now()
         from generate_series(0, 95) n, generate_series(1, 2) p`,
        [tenancy.workspace, tenancy.environment, METER, dayAt(0).from.toISOString()],
      ),
    );
    const days = await asWorker((em) => readRecorded(em, METER, [dayAt(0), dayAt(1)]));
    const [first, second] = days;
    const wrong = { ...second!, value: '1' };
    await asWorker((em) => storeClosed(em, METER, { days: [first!, wrong], now: new Date() }));
  });

  it('are folded into one row a day after some weeks, with the same usage by day and the same recount', async () => {
    const [before, found] = [await usage('day'), await differences('day')];
    expect(found.map(({ from, member }) => [from, member])).to.deep.equal([
      [dayAt(1).from.toISOString(), 'value'],
    ]);
    // The second day differs from its stored usage, and the fourth day is not old enough. Both keep 48 counts.
    expect(await asWorker((em) => foldCounts(em, later))).to.equal(2 * 48);
    expect([await countRows('usage_count'), await countRows('usage_day')]).to.deep.equal([2 * 48, 2]);
    expect(await usage('day')).to.deep.equal(before);
    expect(await differences('day')).to.deep.equal(found);
    expect(await asWorker((em) => foldCounts(em, later))).to.equal(0);
  });

  it('have no usage by hour once they are folded, which is null and not zero', async () => {
    const hours = await usage('hour');
    const known = hours.map(({ value, source }) => value !== null && source !== null);
    expect(known).to.deep.equal([0, 1, 2, 3].flatMap((day) => Array(24).fill(day % 2 === 1)));
    expect(await differences('hour')).to.deep.equal([]);
  });

  it('cannot be changed once they are folded', async () => {
    const changed = asSuperuser(live(), (client) => client.query('update usage_day set value = 0'));
    expect(
      await changed.then(
        () => 'changed',
        (error: Error) => error.message,
      ),
    ).to.include('append-only');
  });
});
