import { fork } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { buildTenancy, type Tenancy } from '../support/build.ts';
import { assay } from '../support/cli.ts';
import { clientOf } from '../support/client.ts';
import { dailyLines, weekdays } from '../support/daily-prices.ts';
import { importCsv } from '../support/import.ts';
import { onOneBackend } from '../support/live.ts';
import { asSuperuser } from '../support/rows.ts';
import { eventually, runRows } from '../support/runs.ts';

const symbols = Array.from({ length: 12 }, (_, at) => `SPF${String.fromCharCode(65 + at)}`);
const days = weekdays('2016-01-01', 700);
const search = {
  strategy: {
    universe: { kind: 'list', symbols },
    signals: { momentum: { expression: 'return(adj_close, $lookback)' } },
    select: { by: 'momentum', top: { $: 'top' } },
    weight: { scheme: 'equal' },
    schedule: { every: 'week' },
    parameters: { lookback: 20, top: 2 },
  },
  from: days[260]!,
  to: days.at(-1)!,
  space: { lookback: { low: 1, high: 250, step: 1 }, top: { low: 1, high: 6, step: 1 } },
};
/** Parts of the grid of 1,500 points. */
const PARTS = 32;

type StoredPart = { first: number; written: string };

onOneBackend('A search divided among workers, under faults', (live) => {
  let tenancy: Tenancy;
  before(async () => {
    tenancy = await buildTenancy(live());
    const paths = symbols.map((symbol, at) => ({
      symbol,
      start: 20 + 7 * at,
      drift: 0.0001 * at,
      swing: 0.004 + 0.0017 * at,
    }));
    await importCsv(live(), tenancy.workspace, 'prices', dailyLines(paths, days));
  });

  /** Returns the stored parts, each with the transaction that wrote it. */
  const storedParts = (): Promise<StoredPart[]> =>
    asSuperuser(live(), async (database) => {
      const { rows } = await database.query<StoredPart>(
        'select first_sample::int as first, xmin::text as written from run_part where workspace_uid = $1 order by 1',
        [tenancy.workspace],
      );
      return rows;
    });

  const startWorker = async () => {
    const child = fork(new URL('../support/part-worker.ts', import.meta.url), ['1000'], {
      env: { PATH: process.env['PATH'], DATABASE_URL: live().ownerUrl, REDIS_URL: live().redis?.url ?? '' },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    await once(child, 'message');
    return child;
  };

  it('computes only the lost part again if a worker dies, and seals the same bytes as one thread', async () => {
    const healthy = live().pid('worker-numerics-1')!;
    const client = clientOf(live(), tenancy.key);
    const recordOf = async (uid: string) =>
      (await runRows(live(), tenancy.workspace)).find((row) => row.uid === uid)!;
    process.kill(healthy, 'SIGSTOP');
    let uid: string;
    try {
      const first = await startWorker();
      const submitted = await client.post('/quant/compute/optimizations', search, {
        prefer: 'respond-async',
      });
      expect(submitted.status, JSON.stringify(submitted.body)).to.equal(202);
      uid = submitted.body.uid;
      try {
        await eventually(async () => (await storedParts()).length >= 3);
      } finally {
        first.kill('SIGKILL');
        await once(first, 'exit');
      }
      const kept = await storedParts();
      expect(kept.length).to.be.within(3, PARTS - 2);
      expect(await recordOf(uid)).to.include({ state: 'running', results: 0 });
      const second = await startWorker();
      try {
        await eventually(async () => (await storedParts()).length > kept.length);
        // The parts that were stored before are the same rows: no worker wrote them again.
        expect((await storedParts()).slice(0, kept.length)).to.deep.equal(kept);
        await eventually(async () => (await recordOf(uid)).state === 'succeeded');
      } finally {
        second.kill('SIGTERM');
        await once(second, 'exit');
      }
    } finally {
      process.kill(healthy, 'SIGCONT');
    }
    expect(await recordOf(uid)).to.include({ results: 1, attempts: 1 });
    expect(await storedParts()).to.deep.equal([]);
    const replayed = await assay(live(), 'replay', uid, '--json');
    expect(replayed.json, replayed.stderr).to.include({ identical: true });
  });
});
