import path from 'node:path';

/**
 * PM2: `pm2 start ecosystem.config.js`, then `pm2 scale worker-numerics +2`. Set DATABASE_URL (and REDIS_URL) and run
 * `npm run assay -- migrate` first. The API is a cluster, since its instances share a port; workers are forks.
 */
const common = {
  interpreter: path.resolve(import.meta.dirname, 'node_modules/.bin/node'),
  cwd: import.meta.dirname,
  wait_ready: true,
  listen_timeout: 20_000,
  kill_timeout: 30_000,
  time: false,
};

const api = { ...common, exec_mode: 'cluster' };
/** The operators' port that is asked for is the API's; each other process takes a free one from 3002 on. */
const worker = { ...common, exec_mode: 'fork', env: { OPS_PORT: '' } };

export const apps = [
  {
    ...api,
    name: 'api',
    script: 'api/server.ts',
    instances: Number(process.env.API_PROCESSES ?? 2),
    env: { PORT: process.env.PORT ?? '3000' },
  },
  {
    ...worker,
    name: 'worker-numerics',
    script: 'workers/worker.ts',
    instances: Number(process.env.NUMERICS_WORKERS ?? 1),
    env: { ...worker.env, WORKER_QUEUE: 'numerics' },
  },
  {
    ...worker,
    name: 'worker-io',
    script: 'workers/worker.ts',
    instances: 1,
    env: { ...worker.env, WORKER_QUEUE: 'io' },
  },
  { ...worker, name: 'scheduler', script: 'workers/scheduler.ts', instances: 1 },
];
