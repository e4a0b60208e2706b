import { fork } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { buildTenancy, type Tenancy } from '../support/build.ts';
import { assay } from '../support/cli.ts';
import { clientOf } from '../support/client.ts';
import { dailyLines, weekdays } from '../support/daily-prices.ts';
import { showFigure } from '../support/fault-table.ts';
import { importCsv } from '../support/import.ts';
import { importPortfolioRows } from '../support/imported-portfolio.ts';
import { onEachBackend } from '../support/live.ts';
import { asSuperuser } from '../support/rows.ts';
import { eventually, runRows } from '../support/runs.ts';

const symbols = Array.from({ length: 12 }, (_, at) => `SPF${String.fromCharCode(65 + at)}`);
const days = weekdays('2016-01-01', 700);
const strategy = {
  signals: { momentum: { expression: 'return(adj_close, $lookback)' } },
  select: { by: 'momentum', top: { $: 'top' } },
  weight: { scheme: 'equal' },
  schedule: { every: 'week' },
  parameters: { lookback: 20, top: 2 },
};
const span = { from: days[260]!, to: days.at(-1)! };
const OPTIMIZATIONS = '/quant/compute/optimizations';

/** Runs that are divided into parts, with the number of parts. */
const divided = {
  'A search': {
    path: OPTIMIZATIONS,
    body: {
      strategy: { ...strategy, universe: { kind: 'list', symbols } },
      ...span,
      space: { lookback: { low: 1, high: 250, step: 1 }, top: { low: 1, high: 6, step: 1 } },
    },
    parts: 32,
  },
  'A backtest with variants': {
    path: '/quant/compute/backtests',
    body: {
      // A universe without a list counts as large, so the backtest is divided.
      strategy: { ...strategy, universe: { kind: 'observed' } },
      ...span,
      capacity: false,
      variants: Array.from({ length: 64 }, (_, at) => ({ lookback: 25 + at })),
    },
    parts: 64,
  },
  'A resampled frontier': {
    path: OPTIMIZATIONS,
    body: {
      kind: 'frontier',
      portfolio: 'main',
      as_of: days.at(-1)!,
      returns: { kind: 'historical' },
      points: 50,
      paths: 500,
      seed: 1,
    },
    parts: 32,
  },
};

type StoredPart = { first: number; written: string };

onEachBackend('A run divided among workers, under faults', (live) => {
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
    await importPortfolioRows(live(), tenancy, 'portfolios', ['main,Main,USD,taxable,fifo,,,2016-01-01']);
    const bought = symbols.map((symbol, at) => `main,R-${at},buy,2016-01-04,${symbol},10,50,,,,,,,`);
    await importPortfolioRows(live(), tenancy, 'events', bought);
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

  for (const [name, { path, body, parts }] of Object.entries(divided)) {
    it(`${name} computes only the lost part again if a worker dies, and seals the same bytes as one thread`, async () => {
      const healthy = live().pid('worker-numerics-1')!;
      const client = clientOf(live(), tenancy.key);
      const recordOf = async (uid: string) =>
        (await runRows(live(), tenancy.workspace)).find((row) => row.uid === uid)!;
      process.kill(healthy, 'SIGSTOP');
      let uid: string;
      try {
        const first = await startWorker();
        try {
          const submitted = await client.post(path, body, { prefer: 'respond-async' });
          expect(submitted.status, JSON.stringify(submitted.body)).to.equal(202);
          uid = submitted.body.uid;
          await eventually(async () => (await storedParts()).length >= 3);
        } finally {
          first.kill('SIGKILL');
          await once(first, 'exit');
        }
        const kept = await storedParts();
        expect(kept.length).to.be.within(3, parts - 2);
        expect(await recordOf(uid)).to.include({ state: 'running', results: 0 });
        const second = await startWorker();
        try {
          await eventually(async () => (await storedParts()).length > kept.length);
          // The parts that were stored before are the same rows: no worker wrote them again.
          const earlier = new Set(kept.map((part) => part.first));
          expect((await storedParts()).filter((part) => earlier.has(part.first))).to.deep.equal(kept);
          await eventually(async () => (await recordOf(uid)).state === 'succeeded');
        } finally {
          second.kill('SIGTERM');
          await once(second, 'exit');
        }
        showFigure(
          live(),
          `kill -9 within ${name.toLowerCase()}`,
          `${kept.length} of ${parts} parts were kept`,
        );
      } finally {
        process.kill(healthy, 'SIGCONT');
      }
      expect(await recordOf(uid)).to.include({ results: 1, attempts: 1 });
      expect(await storedParts()).to.deep.equal([]);
      const replayed = await assay(live(), 'replay', uid, '--json');
      expect(replayed.json, replayed.stderr).to.include({ identical: true });
    });
  }
});
