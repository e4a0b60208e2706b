import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { roleUrl } from '#lib/database/roles.ts';
import { startBackend, type Backend, type BackendName } from '../support/backends.ts';
import { buildTenancy, type Tenancy } from '../support/build.ts';
import { clientOf, type Client } from '../support/client.ts';
import { importCsv } from '../support/import.ts';
import type { Bench, BenchContext, Row, Size } from './bench.ts';
import { startChild } from './child.ts';
import { REDIS_DURABILITY } from './durability.ts';
import { syntheticMarket, type Market } from './factors/market.ts';
import { interleave, ratioRow } from './rounds.ts';

const BENCH = 'workers';
const RUNS = { full: 40, tiny: 2 };
const WARM_RUNS = 4;
const ROUNDS = { full: 2, tiny: 1 };
const POLL_MS = 50;
const SHAPE = {
  full: { symbols: 800, months: 120, themes: 40, themesPerSymbol: 4 },
  tiny: { symbols: 30, months: 14, themes: 2, themesPerSymbol: 1 },
};

/** Measures how much faster a backlog of heavy runs is done with a second worker process. */
export const bench: Bench = {
  summary: 'wall time of 40 heavy runs with 1 and with 2 worker processes',
  targets:
    '2 processes are >= 1.6 x as fast as 1 at NUMERICS_CONCURRENCY=1. The database, the API and the queue need ' +
    'processors as well: a machine with two of them cannot give 2 x.',
  async run(context) {
    const rows: Row[] = [];
    for (const name of context.backends) rows.push(await runOn(name, context));
    return rows;
  },
};

async function runOn(name: BackendName, { size, cluster, notify }: BenchContext): Promise<Row> {
  const database = `assay_bench_${BENCH}_${name}`;
  const variables = { VALIDATE_RESPONSES: 'false', NUMERICS_WORKERS: '1', NUMERICS_CONCURRENCY: '1' };
  const backend = await startBackend(name, database, variables, cluster, {
    redisDurability: REDIS_DURABILITY,
  });
  try {
    const tenancy = await buildTenancy(backend);
    const market = syntheticMarket(SHAPE[size]);
    notify(`${name}: importing ${SHAPE[size].symbols} symbols`);
    await importMarket(backend, tenancy, market);
    const client = clientOf(backend, tenancy.key);
    const rate = () => runsPerSecond(client, market, RUNS[size]);
    notify(`${name}: ${ROUNDS[size]} rounds of ${RUNS[size]} runs a side`);
    const figures = await interleave(ROUNDS[size], {
      subject: () =>
        withSecondWorker(backend, path.join(cluster.home, 'logs', database), async () => {
          // These runs are not measured, because the thread of the second worker has to load its modules
          // first.
          await runsPerSecond(client, market, WARM_RUNS);
          return rate();
        }),
      peer: rate,
    });
    return ratioRow(
      {
        bench: BENCH,
        case: `${RUNS[size]} runs, queue on ${name}`,
        unit: 'runs/s',
        note: `2 worker processes against 1, through the whole service; ${describe(size)}`,
      },
      figures,
      { min: 1.6 },
    );
  } finally {
    await backend.stop();
  }
}

function describe(size: Size): string {
  const { symbols, months, themes, themesPerSymbol } = SHAPE[size];
  return `${symbols} symbols, ${months} months, ${themes} themes, ${themesPerSymbol} a symbol`;
}

async function importMarket(backend: Backend, { workspace }: Tenancy, { data }: Market): Promise<void> {
  await importCsv(backend, workspace, 'prices', [
    'symbol,date,close',
    ...data.prices.flatMap(({ symbol, observations }) =>
      observations.map(({ date, price }) => `${symbol},${date},${price}`),
    ),
  ]);
  const { version, publishedAt, exposures } = data.taxonomy!;
  await importCsv(backend, workspace, 'taxonomy', [
    'version,published_at,theme,symbol,exposure',
    ...exposures.map(({ theme, symbol, micro }) =>
      [version, publishedAt, theme, symbol, (micro / 1_000_000).toFixed(6)].join(','),
    ),
  ]);
}

/** Runs `work` while one more numerics worker process is running. */
export async function withSecondWorker<T>(
  backend: Backend,
  logs: string,
  work: () => Promise<T>,
): Promise<T> {
  const worker = await startChild(
    new URL('../../workers/process/worker.ts', import.meta.url),
    path.join(logs, 'worker-numerics-2.log'),
    {
      DATABASE_URL: roleUrl(backend.ownerUrl, 'worker'),
      REDIS_URL: backend.redis?.url ?? '',
      NUMERICS_CONCURRENCY: '1',
    },
  );
  try {
    return await work();
  } finally {
    await worker.stop();
  }
}

/** Submits all runs at once and waits until the last is sealed. */
async function runsPerSecond(client: Client, { request }: Market, count: number): Promise<number> {
  const started = performance.now();
  const uids: string[] = [];
  for (let number = 0; number < count; number += 1) {
    const { status, body } = await client.post('/investment/theme-watch/factors', request, {
      prefer: 'respond-async',
    });
    if (status !== 202) throw new Error(`a run was not accepted: ${status} ${JSON.stringify(body)}`);
    uids.push(body.uid);
  }
  for (const uid of uids) await sealed(client, uid);
  return count / ((performance.now() - started) / 1_000);
}

/** Waits until a run is sealed. Throws if the run fails. */
export async function sealed(client: Client, uid: string): Promise<void> {
  for (;;) {
    const { body } = await client.get(`/quant/compute/jobs/${uid}`);
    if (body.state === 'succeeded') return;
    if (body.problem) throw new Error(`a run failed: ${JSON.stringify(body.problem)}`);
    await delay(POLL_MS);
  }
}
