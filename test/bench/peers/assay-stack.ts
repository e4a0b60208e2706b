import path from 'node:path';
import { openOrm } from '#lib/database/orm.ts';
import { roleUrl } from '#lib/database/roles.ts';
import type { BackendName } from '../../support/backends.ts';
import { buildTenancy } from '../../support/build.ts';
import type { Cluster } from '../../support/cluster.ts';
import { startRedis } from '../../support/redis.ts';
import { startChild } from '../child.ts';
import { REDIS_DURABILITY } from '../durability.ts';
import { firstJob, redisPids, type Stack } from './stack.ts';

/** Number of runs that the worker computes at the same time. */
export const CONCURRENCY = 2;
const PATH = '/api/v2/bench/no-op';

/**
 * The stack of Assay with the URLs of its database, as the owner, and of its Redis. `jobs` submits a job in each of its
 * workspaces; `job` is that of the first.
 */
export type AssayStack = Stack & {
  ownerUrl: string;
  redisUrl: string | undefined;
  jobs: readonly Stack['job'][];
};

/**
 * Starts the API and a worker of Assay with the run that computes nothing. `thread` is another entry file for the
 * threads of the worker, as seen from `jobs/worker.ts`. `workspaces` is the number of workspaces.
 */
export async function startAssay(
  cluster: Pick<Cluster, 'home' | 'freshDatabase'>,
  bench: string,
  queue: BackendName,
  {
    concurrency = CONCURRENCY,
    thread,
    workspaces = 1,
  }: { concurrency?: number; thread?: string; workspaces?: number } = {},
): Promise<AssayStack> {
  const database = `assay_bench_${bench}_${queue}`;
  const ownerUrl = await cluster.freshDatabase(database);
  const redis = queue === 'redis' ? await startRedis(undefined, REDIS_DURABILITY) : undefined;
  const env = {
    DATABASE_URL: ownerUrl,
    REDIS_URL: redis?.url ?? '',
    NUMERICS_CONCURRENCY: String(concurrency),
    RATE_LIMIT_FACTOR: '1000',
  };
  const start = <Ready>(part: 'api' | 'worker') =>
    startChild<Ready>(
      new URL(`../jobs/${part}.ts`, import.meta.url),
      path.join(cluster.home, 'logs', database, `${part}.log`),
      env,
      part === 'worker' && thread !== undefined ? [thread] : [],
    );
  const [api, worker] = await Promise.all([start<{ url: string }>('api'), start('worker')]);
  const operator = openOrm(roleUrl(ownerUrl, 'operator'), 2);
  const url = `${api.ready.url}${PATH}`;
  const jobs: Stack['job'][] = [];
  for (let made = 0; made < workspaces; made += 1) {
    const { key } = await buildTenancy({ orm: () => operator });
    jobs.push({ url, method: 'POST', headers: { authorization: `Bearer ${key}` }, status: 201 });
  }
  await operator.close();
  const [job] = jobs;
  const { headers } = job!;
  const uid = await firstJob({ url, headers });
  return {
    name: `Assay, queue on ${queue}`,
    database,
    ownerUrl,
    redisUrl: redis?.url,
    pids: { api: [api.pid], worker: [worker.pid], redis: redis ? redisPids(redis) : [] },
    job: job!,
    jobs,
    read: { url: `${url}/${uid}`, method: 'GET', headers, status: 200 },
    async stop() {
      await Promise.all([api.stop(), worker.stop()]);
      await redis?.stop();
    },
  };
}
