import { sql } from 'kysely';
import { median } from 'simple-statistics';
import { inTenant } from '#lib/database/orm.ts';
import { openThreads } from '#workers/process/threads.ts';
import themeFactors from '#workers/investment/theme-factors.ts';
import type { BackendName } from '../support/backends.ts';
import { ownHome } from '../support/home.ts';
import { startRedis } from '../support/redis.ts';
import type { Bench, BenchContext, Row } from './bench.ts';
import { REDIS_DURABILITY } from './durability.ts';
import { compare, interleave } from './rounds.ts';
import { FACTORS, FACTORS_BODY, serve, withSample } from './serve.ts';

const BENCH = 'answers';
const ROUNDS = { full: 101, tiny: 2 };
const WARMING = { full: 20, tiny: 1 };
/** The most that an answer may take longer than its computation alone, in milliseconds. */
const MORE_MS: Record<BackendName, number> = { redis: 30, postgres: 50 };

/** Compares the time of an answer with that of its computation in a thread. */
export const bench: Bench = {
  summary:
    'theme factor run of the sample: from the HTTP request to its sealed 201, and the computation alone',
  targets:
    'median of the answer <= median of the computation + 30 ms with the queue on Redis, + 50 ms with the queue on ' +
    'PostgreSQL, on a quiet machine: the rest is the request, the record, the queue, 28,800 prices, and the seal.',
  async run(context) {
    const rows: Row[] = [];
    for (const name of context.backends) rows.push(await runOn(name, context));
    return rows;
  },
};

async function runOn(name: BackendName, { size, notify }: BenchContext): Promise<Row> {
  const home = await ownHome();
  const redis = name === 'redis' ? await startRedis(undefined, REDIS_DURABILITY) : undefined;
  const threads = openThreads(1);
  try {
    const server = await serve(home, redis ? { REDIS_URL: redis.url } : {});
    try {
      return await withSample({ home, url: server.url, size }, async (client, { operator, tenancy }) => {
        const answer = async () => {
          const { status, body } = await client.post(FACTORS, FACTORS_BODY[size]);
          if (status !== 201) throw new Error(`the run was not sealed: ${status}`);
          return body;
        };
        const run = (await answer()) as { uid: string; input: never };
        const data = await inTenant(operator, tenancy, async (em) => {
          const { rows } = await sql<{
            id: number;
            revision: number;
          }>`select id, revision from dataset`.execute(em.getKysely());
          const datasetRevisions = Object.fromEntries(rows.map(({ id, revision }) => [id, revision]));
          return themeFactors.load(em, { uid: run.uid, modelKey: '', input: run.input, datasetRevisions });
        });
        const sides = {
          subject: () => timeOf(answer),
          peer: () => timeOf(() => threads.run(themeFactors.compute, run.input, data).outcome),
        };
        await interleave(WARMING[size], sides);
        notify(`${name}: ${ROUNDS[size]} answers, and as many computations`);
        return rowOf(name, await interleave(ROUNDS[size], sides));
      });
    } finally {
      await server.stop();
    }
  } finally {
    await threads.close();
    await redis?.stop();
    await home.remove();
  }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function rowOf(name: BackendName, { subject, peer }: { subject: number[]; peer: number[] }): Row {
  return {
    bench: BENCH,
    case: `factor run of the sample, queue on ${name}; peer: the computation alone`,
    unit: 'ms',
    ...compare(subject, peer),
    target: `<= peer + ${MORE_MS[name]} ms`,
    met: median(subject) <= median(peer) + MORE_MS[name],
    note: 'one client; medians of the rounds',
  };
}
