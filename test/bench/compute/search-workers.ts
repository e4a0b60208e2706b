import path from 'node:path';
import { startBackend, type Backend } from '../../support/backends.ts';
import { buildTenancy } from '../../support/build.ts';
import { clientOf, type Client } from '../../support/client.ts';
import { importCsv } from '../../support/import.ts';
import type { BenchContext, Row } from '../bench.ts';
import { REDIS_DURABILITY } from '../durability.ts';
import { interleave, ratioRow } from '../rounds.ts';
import { sealed, withSecondWorker } from '../workers.ts';
import { momentumOf } from './backtests.ts';
import { readSp25, strategyDataOf } from './sp25.ts';

const SIZES = {
  full: { sessions: 1_007, lookbacks: 50, tops: 20, rounds: 3 },
  tiny: { sessions: 200, lookbacks: 52, tops: 2, rounds: 1 },
};

/** Measures a search with two worker processes compared with one, through the whole service. */
export async function searchWorkerRows(
  bench: string,
  { size, cluster, notify, backends }: BenchContext,
): Promise<Row[]> {
  const { sessions, lookbacks, tops, rounds } = SIZES[size];
  const name = backends[0]!;
  const database = `assay_bench_${bench}_${name}`;
  const variables = { VALIDATE_RESPONSES: 'false', NUMERICS_WORKERS: '1', NUMERICS_CONCURRENCY: '1' };
  const backend = await startBackend(name, database, variables, cluster, {
    redisDurability: REDIS_DURABILITY,
  });
  try {
    const { client, body } = await searchOf(backend, { sessions, lookbacks, tops });
    const trials = lookbacks * tops;
    notify(`search of ${trials} trials with one and two workers, ${rounds} rounds`);
    const rate = () => trialsPerSecond(client, body, trials);
    await rate();
    const logs = path.join(cluster.home, 'logs', database);
    const figures = await interleave(rounds, {
      subject: () =>
        withSecondWorker(backend, logs, async () => {
          // The first rate is not reported, because the thread of the second worker has to load its modules first.
          await rate();
          return rate();
        }),
      peer: rate,
    });
    return [
      ratioRow(
        {
          bench,
          case: `search of ${trials.toLocaleString('en')} trials, queue on ${name}`,
          unit: 'trials/s',
          note: '2 worker processes against 1, wall-clock time through the whole service',
        },
        figures,
        size === 'full' ? { min: 1.7 } : null,
      ),
    ];
  } finally {
    await backend.stop();
  }
}

/** Imports the prices, and returns a grid search over them. */
async function searchOf(
  backend: Backend,
  { sessions, lookbacks, tops }: { sessions: number; lookbacks: number; tops: number },
) {
  const tenancy = await buildTenancy(backend);
  const table = readSp25();
  const { from, to, symbols } = strategyDataOf(table, sessions);
  const rows = [...table.prices].flatMap(([symbol, closes]) =>
    table.dates.slice(0, sessions).map((day, at) => `${symbol},${day},${closes[at]}`),
  );
  await importCsv(backend, tenancy.workspace, 'prices', ['symbol,date,close', ...rows]);
  const space = {
    lookback: { low: 5, high: 5 * lookbacks, step: 5, integer: true },
    top: { low: 1, high: tops, step: 1, integer: true },
  };
  const body = { strategy: momentumOf(symbols), from, to, space };
  return { client: clientOf(backend, tenancy.key), body };
}

async function trialsPerSecond(client: Client, request: object, trials: number): Promise<number> {
  const started = performance.now();
  const { status, body } = await client.post('/quant/compute/optimizations', request, {
    prefer: 'respond-async',
  });
  if (status !== 202) throw new Error(`a search was not accepted: ${status} ${JSON.stringify(body)}`);
  await sealed(client, body.uid);
  return trials / ((performance.now() - started) / 1_000);
}
