import path from 'node:path';
import { startBackend, type Backend, type BackendName } from '../support/backends.ts';
import { buildTenancy, type Tenancy } from '../support/build.ts';
import { clientOf, type Client } from '../support/client.ts';
import { importCsv } from '../support/import.ts';
import type { Bench, BenchContext, Row } from './bench.ts';
import { REDIS_DURABILITY } from './durability.ts';
import { interleave, ratioRow } from './rounds.ts';
import { confidenceSetRow } from './tournaments/confidence-set.ts';
import { methodsRow } from './tournaments/methods-row.ts';
import { monthlyValue } from './tournaments/monthly-value.ts';
import { withSecondWorker } from './workers.ts';

const BENCH = 'tournaments';
const SERIES = { full: 1_000, tiny: 3 };
const ORIGINS = { full: 12, tiny: 20 };
const MONTHS = 120;
const RATIO_MIN = 1.7;
const METHODS = [
  ...['naive', 'seasonal_naive', 'drift', 'ses', 'holt'],
  ...['damped_holt', 'theta', 'dynamic_theta', 'holt_winters_damped', 'ets'],
];

/**
 * Measures a large tournament with two worker processes against one, its methods against R, and a model confidence set
 * against arch.
 */
export const bench: Bench = {
  summary:
    'wall time of a tournament of 1,000 series with 1 and with 2 worker processes; a model confidence set',
  targets:
    `2 processes are >= ${RATIO_MIN} x as fast as 1 at NUMERICS_CONCURRENCY=1, where there are processors for both; a ` +
    'model confidence set of 20 entries x 500 losses x 2,000 resamples <= 0.2 x arch; the methods on one thread in a ' +
    'twentieth of the processor time of R',
  async run(context) {
    const rows: Row[] = [await confidenceSetRow(BENCH, context), await methodsRow(BENCH, context)];
    for (const name of context.backends) rows.push(await runOn(name, context));
    return rows;
  },
};

async function runOn(name: BackendName, { size, cluster, notify }: BenchContext): Promise<Row> {
  const database = `assay_bench_tournaments_${name}`;
  const variables = { VALIDATE_RESPONSES: 'false', NUMERICS_WORKERS: '1', NUMERICS_CONCURRENCY: '1' };
  const backend = await startBackend(name, database, variables, cluster, {
    redisDurability: REDIS_DURABILITY,
  });
  try {
    const tenancy = await buildTenancy(backend);
    const [series, origins] = [SERIES[size], ORIGINS[size]];
    notify(`${name}: importing ${series} series`);
    await importMonths(backend, tenancy, series);
    const client = clientOf(backend, tenancy.key);
    const rate = () => forecastsPerSecond(client, { series, origins });
    const warm = () => forecastsPerSecond(client, { series: 3, origins: 20 });
    await warm();
    notify(`${name}: a tournament of ${series} series a side`);
    const logs = path.join(cluster.home, 'logs', database);
    const figures = await interleave(1, {
      subject: () =>
        withSecondWorker(backend, logs, async () => {
          // The first forecasts are not measured, because the thread of the second worker has to load its modules
          // first.
          await warm();
          return rate();
        }),
      peer: rate,
    });
    return ratioRow(
      {
        bench: BENCH,
        case: `${series} series x ${origins} origins x ${METHODS.length} methods, queue on ${name}`,
        unit: 'forecasts/s',
        note: `2 worker processes against 1, through the whole service; ${MONTHS} months`,
      },
      figures,
      { min: RATIO_MIN },
    );
  } finally {
    await backend.stop();
  }
}

const keyOf = (at: number) => `S${String(at).padStart(4, '0')}`;

/** Imports monthly series with a trend and a season. */
async function importMonths(backend: Backend, { workspace }: Tenancy, series: number): Promise<void> {
  await importCsv(backend, workspace, 'economics', [
    'series,date,value',
    ...Array.from({ length: series * MONTHS }, (_, row) => {
      const [place, at] = [Math.floor(row / MONTHS), row % MONTHS];
      const day = `${2010 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}-01`;
      return `${keyOf(place)},${day},${monthlyValue(place, at)}`;
    }),
  ]);
}

/** Runs a tournament and returns its forecasts per second. */
async function forecastsPerSecond(
  client: Client,
  { series, origins }: { series: number; origins: number },
): Promise<number> {
  const request = {
    task: {
      kind: 'series',
      metrics: Array.from({ length: series }, (_, at) => ({ metric: `economics.${keyOf(at)}` })),
    },
    entries: METHODS.map((statistical) => ({ statistical })),
    origins: { most: origins },
    horizon: 1,
  };
  const started = performance.now();
  let { body } = await client.post('/quant/model-tournaments', request, { prefer: 'wait=60' });
  while (body.state === 'queued' || body.state === 'running')
    ({ body } = await client.get(`/quant/model-tournaments/${body.uid}?wait=60`));
  if (!body.result) throw new Error(`a tournament ended otherwise: ${JSON.stringify(body)}`);
  return (series * origins * METHODS.length) / ((performance.now() - started) / 1_000);
}
