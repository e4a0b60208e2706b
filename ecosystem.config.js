import path from 'node:path';

/**
 * PM2: `pm2 start ecosystem.config.js`, then `pm2 scale worker-numerics +2`. Set DATABASE_URL (and REDIS_URL) and run
 * `npm run assay -- migrate` first. The API is a cluster, because its instances share a port; workers are forks. With
 * API_DATABASE_URL, WORKER_DATABASE_URL and CONSOLE_DATABASE_URL, the URLs of those roles, no process receives the
 * owner's URL.
 *
 * The processes of a cluster inherit the environment of PM2's daemon. Start the daemon in a shell without secrets:
 * `env -i PATH="$PATH" HOME="$HOME" pm2 ping`.
 */
const { env: given } = process;

/** Returns the set variables among these names. */
const passed = (...names) =>
  Object.fromEntries(names.filter((name) => given[name]).map((name) => [name, given[name]]));

const forAll = {
  ...passed('ASSAY_HOME', 'OPS_HOST', 'DATABASE_DIRECT_URL', 'REDIS_URL', 'DRAIN_MS', 'LOG_LEVEL'),
  MALLOC_ARENA_MAX: '1', // MEMORY_VARIABLES in lib/core/heap.ts
  NODE_COMPILE_CACHE:
    given.NODE_COMPILE_CACHE ?? path.resolve(import.meta.dirname, 'node_modules/.cache/assay'),
};
/** Variables that the daemon may have passed to the API, and that the API must not use. */
const notForApi = {
  OPERATOR_PASSWORD: '',
  WORKER_PASSWORD: '',
  CONSOLE_PASSWORD: '',
  OIDC_CLIENT_SECRET: '',
  OIDC_CLIENT_KEY_FILE: '',
  OLD_PASSWORD: '',
  OLD_SECRET: '',
  TRANSFER_SECRET: '',
  ENCRYPTION_KEY: '',
  SIGNING_SECRET: '',
  WEBHOOK_KEY: '',
  AI_CONNECTION_KEY: '',
  API_DATABASE_URL: '',
  WORKER_DATABASE_URL: '',
  CONSOLE_DATABASE_URL: '',
};
const forApi = {
  ...forAll,
  ...notForApi,
  ...passed(
    'HOST',
    'OPS_PORT',
    'OPS_PASSWORD',
    'DATABASE_POOL',
    'DATABASE_WAIT_MS',
    'API_PASSWORD',
    'ACCESS_TOKEN_S',
    'PUBLIC_URL',
  ),
  ...passed('REQUEST_MS', 'CORS_ORIGINS', 'TRUST_PROXY', 'RATE_LIMIT_FACTOR', 'RUN_WAIT_MS'),
  ...passed('VALIDATE_RESPONSES', 'DEPLOYMENT_FILE', 'QLM_PROVIDER_WAIT_S'),
  PORT: given.PORT ?? '3000',
  DATABASE_URL: given.API_DATABASE_URL ?? given.DATABASE_URL ?? '',
};
/** The API uses the configured operators' port; each other process takes a free port from 3002 on. */
const forWorkers = {
  ...forAll,
  ...passed('WORKER_PASSWORD', 'HEARTBEAT_FILE'),
  OPS_PORT: '',
  DATABASE_URL: given.WORKER_DATABASE_URL ?? given.DATABASE_URL ?? '',
};

const forConsole = {
  ...forAll,
  ...passed(
    'CONSOLE_PORT',
    'CONSOLE_HOST',
    'CONSOLE_URL',
    'CONSOLE_PASSWORD',
    'ENCRYPTION_KEY',
    'DATABASE_POOL',
    'DATABASE_WAIT_MS',
  ),
  ...passed('REQUEST_MS', 'RATE_LIMIT_FACTOR', 'RUN_WAIT_MS'),
  ...passed('OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_CLIENT_KEY_FILE'),
  ...passed('OIDC_NAME', 'OIDC_ALGORITHM', 'OIDC_ACR', 'OIDC_NETWORKS'),
  OPS_PORT: '',
  DATABASE_URL: given.CONSOLE_DATABASE_URL ?? given.DATABASE_URL ?? '',
};

const common = {
  // Removes the inherited variables whose name contains one of these texts, so that each process has only the secrets
  // of its own `env`.
  filter_env: ['PASSWORD', 'SECRET', '_KEY', 'TOKEN', '_URL', 'CREDENTIALS'],
  node_args: '--max-semi-space-size=4', // HEAP_OPTIONS in lib/core/heap.ts
  interpreter: path.resolve(import.meta.dirname, 'node_modules/.bin/node'),
  cwd: import.meta.dirname,
  wait_ready: true,
  listen_timeout: 20_000,
  kill_timeout: 30_000,
  time: false,
};

const api = { ...common, exec_mode: 'cluster' };
const worker = { ...common, exec_mode: 'fork' };

export const apps = [
  {
    ...api,
    name: 'api',
    script: 'api/process/server.ts',
    instances: Number(given.API_PROCESSES ?? 2),
    env: forApi,
  },
  {
    ...worker,
    name: 'worker-numerics',
    script: 'workers/process/worker.ts',
    instances: Number(given.NUMERICS_WORKERS ?? 1),
    env: { ...forWorkers, ...passed('NUMERICS_CONCURRENCY', 'LOCK_MS'), WORKER_QUEUE: 'numerics' },
  },
  {
    ...worker,
    name: 'worker-io',
    script: 'workers/process/worker.ts',
    instances: 1,
    env: {
      ...forWorkers,
      ...passed('IO_CONCURRENCY', 'LOCK_MS', 'SIGNING_SECRET', 'WEBHOOK_KEY', 'WEBHOOK_NETWORKS'),
      ...passed('AI_CONNECTION_KEY', 'AI_NETWORKS', 'QLM_PROVIDER_WAIT_S'),
      WORKER_QUEUE: 'io',
    },
  },
  {
    ...worker,
    name: 'scheduler',
    script: 'workers/process/scheduler.ts',
    instances: 1,
    env: { ...forWorkers, ...passed('SWEEP_MS') },
  },
  { ...worker, name: 'console', script: 'api/console/server.ts', instances: 1, env: forConsole },
];
