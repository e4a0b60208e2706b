import path from 'node:path';
import type { Cluster } from '../../support/cluster.ts';
import { startChild } from '../child.ts';
import { firstJob, redisPids, startPeerServices, type Stack } from './stack.ts';

/** Starts Koa, BullMQ and pg, written by hand without the rest of Assay: the floor of a stack in Node. */
export async function startKoa(cluster: Cluster): Promise<Stack> {
  const database = 'assay_bench_peer_koa';
  const { databaseUrl, redis, headers } = await startPeerServices(cluster, database);
  const env = { DATABASE_URL: databaseUrl, REDIS_URL: redis.url };
  const start = <Ready>(part: 'api' | 'worker') =>
    startChild<Ready>(
      new URL(`./koa-${part}.ts`, import.meta.url),
      path.join(cluster.home, 'logs', database, `${part}.log`),
      env,
    );
  const [api, worker] = await Promise.all([start<{ url: string }>('api'), start('worker')]);
  const url = `${api.ready.url}/jobs`;
  const uid = await firstJob({ url, headers });
  return {
    name: 'Koa + BullMQ + pg',
    database,
    pids: { api: [api.pid], worker: [worker.pid], redis: redisPids(redis) },
    job: { url, method: 'POST', headers, status: 201 },
    read: { url: `${url}/${uid}`, method: 'GET', headers, status: 200 },
    async stop() {
      await Promise.all([api.stop(), worker.stop()]);
      await redis.stop();
    },
  };
}
