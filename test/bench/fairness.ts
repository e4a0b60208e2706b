import path from 'node:path';
import { median } from 'simple-statistics';
import { Client } from 'pg';
import { openOrm } from '#lib/database/orm.ts';
import { roleUrl } from '#lib/database/roles.ts';
import type { BackendName } from '../support/backends.ts';
import { buildTenancy } from '../support/build.ts';
import { startRedis } from '../support/redis.ts';
import { eventually } from '../support/runs.ts';
import type { Bench, BenchContext, Row } from './bench.ts';
import { startChild } from './child.ts';
import { REDIS_DURABILITY } from './durability.ts';
import { timesUntil, type Load } from './load.ts';
import { compare } from './rounds.ts';

const BENCH = 'fairness';
const CONCURRENCY = 2;
const SUBMITTERS = 16;
const BACKLOG = { full: 1_000, tiny: 20 };
const SINGLES = { full: 20, tiny: 2 };
const ROUNDS = { full: 3, tiny: 1 };

/**
 * Measures how long single runs of a small workspace take, with and without the backlog of a large workspace.
 */
export const bench: Bench = {
  summary: 'the wait of a small workspace next to the backlog of a large one, jobs of 10 ms',
  targets:
    'no target on the ratio: next to a backlog a run waits for the runs in progress and for one run per worker. First in, ' +
    'first out, it would wait until the backlog is gone.',
  async run(context) {
    const rows: Row[] = [];
    for (const name of context.backends) rows.push(...(await runOn(name, context)));
    return rows;
  },
};

async function runOn(name: BackendName, { size, cluster, notify }: BenchContext): Promise<Row[]> {
  const database = `assay_bench_${BENCH}_${name}`;
  const ownerUrl = await cluster.freshDatabase(database);
  const redis = name === 'redis' ? await startRedis(undefined, REDIS_DURABILITY) : undefined;
  const env = {
    DATABASE_URL: ownerUrl,
    REDIS_URL: redis?.url ?? '',
    NUMERICS_CONCURRENCY: String(CONCURRENCY),
  };
  const log = (part: string) => path.join(cluster.home, 'logs', database, `${part}.log`);
  const [api, worker, scheduler] = await Promise.all([
    startChild<{ url: string }>(new URL('./jobs/api.ts', import.meta.url), log('api'), env),
    startChild(new URL('./jobs/worker.ts', import.meta.url), log('worker'), env, ['../fairness/thread.ts']),
    startChild(new URL('../../workers/process/scheduler.ts', import.meta.url), log('scheduler'), {
      ...env,
      DATABASE_URL: roleUrl(ownerUrl, 'worker'),
    }),
  ]);
  const operator = openOrm(roleUrl(ownerUrl, 'operator'), 2);
  const watcher = new Client({ connectionString: cluster.superuserUrl(database) });
  await watcher.connect();
  try {
    const [big, small] = [
      await buildTenancy({ orm: () => operator }),
      await buildTenancy({ orm: () => operator }),
    ];
    const load = (key: string, prefer: string, status: Load['status']): Load => ({
      url: `${api.ready.url}/api/v2/bench/no-op`,
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, prefer },
      status,
      clients: 1,
      forMs: 0,
    });
    const singles = async () =>
      median(await timesUntil(load(small.key, 'wait=60', 201), 1, (sent) => sent >= SINGLES[size]));
    const open = async () =>
      (await watcher.query('select count(*)::int as open from dispatch')).rows[0].open as number;
    const figures = { alone: [] as number[], beside: [] as number[], drained: [] as number[] };
    await singles();
    for (let round = 0; round < ROUNDS[size]; round++) {
      figures.alone.push(await singles());
      await timesUntil(
        load(big.key, 'respond-async', [201, 202]),
        SUBMITTERS,
        (sent) => sent >= BACKLOG[size],
      );
      const started = performance.now();
      const waiting = await open();
      figures.beside.push(await singles());
      await eventually(async () => (await open()) === 0);
      figures.drained.push(performance.now() - started);
      notify(`${name}: round ${round + 1}, ${waiting} runs were waiting`);
    }
    const about = { bench: BENCH, unit: 'ms', target: null, met: null };
    return [
      {
        ...about,
        case: `single run next to a backlog, queue on ${name}`,
        ...compare(figures.beside, figures.alone),
        note: `median of ${SINGLES[size]} runs one after the other; the peer is the same without the backlog of ${BACKLOG[size]}`,
      },
      {
        ...about,
        case: `against first in, first out, queue on ${name}`,
        ...compare(figures.beside, figures.drained),
        note: 'the peer is the time until the backlog was gone, which is the wait in a single queue',
      },
    ];
  } finally {
    await watcher.end();
    await Promise.all([api.stop(), worker.stop(), scheduler.stop()]);
    await operator.close();
    await redis?.stop();
  }
}
