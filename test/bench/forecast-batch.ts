import path from 'node:path';
import { startBackend, type Backend, type BackendName } from '../support/backends.ts';
import { buildTenancy, type Tenancy } from '../support/build.ts';
import { clientOf, type Client } from '../support/client.ts';
import { createCompany } from '../support/company.ts';
import { BATCHES } from '../support/forecast.ts';
import { importCsv } from '../support/import.ts';
import type { Bench, BenchContext, Row } from './bench.ts';
import { REDIS_DURABILITY } from './durability.ts';
import { interleave, ratioRow } from './rounds.ts';
import { withSecondWorker } from './workers.ts';

const BENCH = 'forecast-batch';
const ITEMS = { full: 500, tiny: 4 };
const ITEMS_MAX = 5_000;
const WARM_ITEMS = 4;
const MONTHS = 96;
const HORIZON = 12;
const RATIO_MIN = 1.7;

/** Measures how much faster a batch of forecasts is done with a second worker process. */
export const bench: Bench = {
  summary:
    'wall time of a batch of monthly forecasts with 1 and with 2 worker processes; --rows says how many',
  targets:
    `2 processes are >= ${RATIO_MIN} x as fast as 1 at NUMERICS_CONCURRENCY=1, where there are processors for both: the ` +
    'database, the API and the queue need some as well. A batch has at most 5,000 items.',
  async run(context) {
    const rows: Row[] = [];
    for (const name of context.backends) rows.push(await runOn(name, context));
    return rows;
  },
};

async function runOn(name: BackendName, { size, rows, cluster, notify }: BenchContext): Promise<Row> {
  const items = Math.min(rows ?? ITEMS[size], ITEMS_MAX);
  const database = `assay_bench_forecast_batch_${name}`;
  const variables = { VALIDATE_RESPONSES: 'false', NUMERICS_WORKERS: '1', NUMERICS_CONCURRENCY: '1' };
  const backend = await startBackend(name, database, variables, cluster, {
    redisDurability: REDIS_DURABILITY,
  });
  try {
    const tenancy = await buildTenancy(backend);
    const company = await importMonths(backend, tenancy);
    const client = clientOf(backend, tenancy.key);
    const rate = () => itemsPerSecond(client, company, items);
    notify(`${name}: a batch of ${items} forecasts a side`);
    const logs = path.join(cluster.home, 'logs', database);
    await itemsPerSecond(client, company, WARM_ITEMS);
    const figures = await interleave(1, {
      subject: () =>
        withSecondWorker(backend, logs, async () => {
          // These items are not measured, because the thread of the second worker has to load its modules
          // first.
          await itemsPerSecond(client, company, WARM_ITEMS);
          return rate();
        }),
      peer: rate,
    });
    return ratioRow(
      {
        bench: BENCH,
        case: `a batch of ${items}, queue on ${name}`,
        unit: 'forecasts/s',
        note: `2 worker processes against 1, through the whole service; ${MONTHS} months, horizon ${HORIZON}`,
      },
      figures,
      { min: RATIO_MIN },
    );
  } finally {
    await backend.stop();
  }
}

/** Creates a company, and a metric of the company with a trend and a season. Returns the company. */
async function importMonths(backend: Backend, { workspace }: Tenancy): Promise<number> {
  const company = await createCompany(backend, workspace);
  const season = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8];
  await importCsv(backend, workspace, 'metrics', [
    'company_id,metric,period,value,currency',
    ...Array.from({ length: MONTHS }, (_, at) => {
      const month = `${2015 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`;
      return `${company},revenue,${month},${1_000 + 7 * at + 40 * season[at % 12]! + ((at * 37) % 23)},EUR`;
    }),
  ]);
  return company;
}

/** Submits a batch and waits until none of its items is open. */
async function itemsPerSecond(client: Client, company: number, count: number): Promise<number> {
  const items = Array.from({ length: count }, () => ({
    metric: 'revenue',
    company_id: company,
    horizon: HORIZON,
  }));
  const started = performance.now();
  let { body } = await client.post(BATCHES, { items }, { prefer: 'wait=60' });
  while (body.state === 'queued' || body.state === 'running') {
    ({ body } = await client.get(`${BATCHES}/${body.uid}?wait=60`));
  }
  if (body.counts?.succeeded !== count) throw new Error(`a batch ended otherwise: ${JSON.stringify(body)}`);
  return count / ((performance.now() - started) / 1_000);
}
