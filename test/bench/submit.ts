import { median, quantile } from 'simple-statistics';
import { daysBefore } from '#lib/core/date.ts';
import { inTenant, openOrm } from '#lib/database/orm.ts';
import { roleUrl } from '#lib/database/roles.ts';
import type { InputOf } from '#lib/core/run.ts';
import type { themeFactorsRun } from '#lib/investment/theme-factors/theme-factors.run.ts';
import themeFactors from '#workers/investment/theme-factors.ts';
import { compute } from '#workers/investment/theme-factors.compute.ts';
import { startBackend, type BackendName } from '../support/backends.ts';
import { buildTenancy, type Tenancy } from '../support/build.ts';
import { clientOf } from '../support/client.ts';
import { importSample, importTiny } from '../support/import.ts';
import type { Bench, BenchContext, Row } from './bench.ts';
import { REDIS_DURABILITY } from './durability.ts';
import { interleave } from './rounds.ts';
import { FACTORS, FACTORS_BODY } from './serve.ts';

const BENCH = 'submit';
const REQUESTS = { full: 80, tiny: 2 };
const WARM = { full: 10, tiny: 1 };
const MORE_MS: Record<BackendName, number> = { postgres: 50, redis: 30 };

/** Measures how long a caller waits for a sealed run, compared with the time of the computation alone. */
export const bench: Bench = {
  summary: 'POST of the sample run to its sealed 201, milliseconds',
  targets:
    'p50 <= the computation + 30 ms on Redis, + 50 ms on PostgreSQL: the time that the record, the queue, the load, the seal ' +
    'and the answer may take in addition to the computation itself. Each request is the same, so its prices were read ' +
    'lately. The row of other days shows requests whose prices were not.',
  async run(context) {
    const rows: Row[] = [];
    for (const name of context.backends) rows.push(...(await runOn(name, context)));
    return rows;
  },
};

async function runOn(name: BackendName, { size, cluster, notify }: BenchContext): Promise<Row[]> {
  const redis = { redisDurability: REDIS_DURABILITY };
  const variables = { VALIDATE_RESPONSES: 'false' };
  const backend = await startBackend(name, `assay_bench_${BENCH}_${name}`, variables, cluster, redis);
  const orm = openOrm(roleUrl(backend.ownerUrl, 'worker'), 2);
  try {
    const tenancy = await buildTenancy(backend);
    await (size === 'full' ? importSample : importTiny)(backend, tenancy.workspace);
    const client = clientOf(backend, tenancy.key);
    const post = async (changes = {}) => {
      const started = performance.now();
      const answer = await client.post(FACTORS, { ...FACTORS_BODY[size], ...changes });
      if (answer.status !== 201) throw new Error(`the run was not sealed: ${answer.status}`);
      return { ms: performance.now() - started, run: answer.body };
    };
    const { run } = await post();
    const bare = bareRun(tenancy, run.input);
    let days = 0;
    const otherDay = () => (size === 'full' ? { as_of_date: daysBefore('2020-09-30', (days += 1)) } : {});
    const sides = {
      subject: async () => (await post()).ms,
      otherDay: async () => (await post(otherDay())).ms,
      load: bare.load,
      compute: bare.compute,
    };
    await interleave(WARM[size], sides);
    notify(`${name}: ${REQUESTS[size]} requests, one after the other`);
    return rowsOf(name, await interleave(REQUESTS[size], sides));
  } finally {
    await orm.close();
    await backend.stop();
  }

  /**
   * Does the work of a run in this process, without queue and worker. Its two parts are reading the data, as
   * the worker does, and computing, as the worker's thread does.
   */
  function bareRun({ workspace }: Tenancy, input: InputOf<typeof themeFactorsRun>) {
    const read = () =>
      inTenant(orm, { workspace, environment: 'sandbox' }, async (em) => {
        const rows = await em.execute<{ id: number; revision: number }[]>('select id, revision from dataset');
        const datasetRevisions = Object.fromEntries(rows.map(({ id, revision }) => [id, revision]));
        return themeFactors.load(em, {
          uid: 'tfr_of_the_bench',
          modelKey: themeFactors.run.model,
          input,
          datasetRevisions,
        });
      });
    let data: Awaited<ReturnType<typeof read>> | undefined;
    return {
      load: () => timed(async () => (data = await read())),
      compute: async () => {
        data ??= await read();
        return timed(async () => compute(input, data!, { progress: () => {}, cancelled: () => false }));
      },
    };
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function rowsOf(
  name: BackendName,
  figures: Record<'subject' | 'otherDay' | 'load' | 'compute', number[]>,
): Row[] {
  const computation = median(figures.compute);
  const load = median(figures.load);
  const more = MORE_MS[name];
  const common = { bench: BENCH, unit: 'ms', peer: computation, spread: null };
  const shown = (label: string, figure: number): Row => ({
    ...common,
    case: `${label}, queue on ${name}`,
    figure,
    ratio: figure / computation,
    target: null,
    met: null,
    note: 'only shown',
  });
  const p50 = median(figures.subject);
  return [
    {
      ...shown('p50', p50),
      target: `<= computation + ${more} ms`,
      met: p50 <= computation + more,
      note: `the peer is the computation in a warm process; the load is ${load.toFixed(1)} ms beside it`,
    },
    shown('p50 of a new day each time', median(figures.otherDay)),
    shown('p95', quantile(figures.subject, 0.95)),
    shown('p99', quantile(figures.subject, 0.99)),
  ];
}
