import path from 'node:path';
import { startStack, type Stack } from '#api/process/stack.ts';
import { readConfig } from '#lib/core/config.ts';
import type { Orm } from '#lib/database/base.ts';
import { openOrm } from '#lib/database/orm.ts';
import { roleUrl, type Role } from '#lib/database/roles.ts';
import { openCluster, TEST_HOME, type Cluster } from './cluster.ts';
import { amount } from './repetitions.ts';
import { limitRoles, startPooler, type Pooler } from './pgbouncer.ts';
import { redisIsThere, startRedis, type RedisServer } from './redis.ts';
import { patientLimits } from './patience.ts';
import { watchState } from './state.ts';

export type BackendName = 'postgres' | 'redis';

/** All of Assay, running for tests: its processes, and an ORM for each role. */
export type Backend = {
  name: BackendName;
  url: string;
  opsUrl: string;
  /** The URL at which each part shows its health and metrics, by the name of the part. */
  opsUrls: ReadonlyMap<string, string>;
  ownerUrl: string;
  superuserUrl: string;
  redis: RedisServer | undefined;
  /** The directory in which the processes write their logs. */
  logDirectory: string;
  orm(role: Role): Orm;
  /** Messages of the stack to its operator, such as `api ended (0); starting it again`. */
  notices: readonly string[];
  /** The process id of a part, such as `worker-numerics-1`. */
  pid(service: string): number | undefined;
  stop(): Promise<void>;
};

export const OPS_PASSWORD = 'ops-password-of-tests';
/** Distinguishes the databases of this process from the databases of other test processes that run in parallel. */
const PART = process.env['TEST_PART'] ?? '0';

/**
 * The queue backends that live tests run on. The runner sets a variable that names one backend for each
 * process. Without this variable, all available backends are used.
 */
export const backendNames: readonly BackendName[] = process.env['TEST_BACKEND']
  ? [process.env['TEST_BACKEND'] as BackendName]
  : redisIsThere()
    ? ['postgres', 'redis']
    : ['postgres'];

/**
 * The backends for tests that do not depend on the queue backend: one backend, or all backends with `npm run
 * test:full -- --all`.
 */
export const usualBackendNames = backendNames.filter((name) => amount === 'all' || name === 'postgres');

/** Whether the stacks reach PostgreSQL through PgBouncer in transaction mode (`--pooler`). */
export const isPooled = process.env['TEST_POOLER'] === 'true';
/** The number of connections of a pooler to PostgreSQL. */
const POOLED_CONNECTIONS = 20;

let cluster: Promise<Cluster> | undefined;
const backends = new Map<BackendName, Promise<Backend>>();

/** Returns the stack on this queue backend. The stack is started on first use and shared by all tests. */
export function backend(name: BackendName): Promise<Backend> {
  const known = backends.get(name) ?? startBackend(name, `assay_test_${name}_${PART}`);
  backends.set(name, known);
  return known;
}

export async function closeBackends(): Promise<void> {
  // A stack that did not start needs no further error, because its tests have already failed.
  for (const started of await Promise.allSettled(backends.values())) {
    if (started.status === 'fulfilled') await started.value.stop();
  }
  await (await cluster?.catch(() => undefined))?.release();
}

/** Returns the cluster of all tests, which the runner has started. */
export function testCluster(): Promise<Cluster> {
  return (cluster ??= openCluster(TEST_HOME, { hasTemplate: true }));
}

/** Creates a database with its roles and the newest schema; returns the owner's URL. */
export async function freshDatabase(name: string): Promise<string> {
  return (await testCluster()).freshDatabase(name);
}

type Place = Pick<Cluster, 'home' | 'freshDatabase' | 'superuserUrl'>;

/**
 * Starts a separate stack, for tests that kill parts of it. With `redis`, the stack gets a Redis of its own unless
 * `variables` contain a `REDIS_URL`.
 */
export async function startBackend(
  name: BackendName,
  database: string,
  variables: Record<string, string> = {},
  place: Place | Promise<Place> = testCluster(),
  { redisDurability }: { redisDurability?: readonly string[] } = {},
): Promise<Backend> {
  const { home, freshDatabase, superuserUrl } = await place;
  const ownerUrl = await freshDatabase(database);
  const hasOwnRedis = name === 'redis' && variables['REDIS_URL'] === undefined;
  const redis = hasOwnRedis ? await startRedis(undefined, redisDurability) : undefined;
  const pooler =
    isPooled && variables['DATABASE_URL'] === undefined
      ? await poolerOf({ ownerUrl, superuserUrl: superuserUrl(database) })
      : undefined;
  const env = {
    DATABASE_URL: pooler?.through(ownerUrl) ?? ownerUrl,
    ...(pooler && { DATABASE_DIRECT_URL: ownerUrl }),
    REDIS_URL: redis?.url ?? '',
    PORT: '0',
    OPS_PORT: '0',
    CONSOLE: 'false',
    OPS_PASSWORD,
    RATE_LIMIT_FACTOR: '1000',
    VALIDATE_RESPONSES: 'true',
    // Providers of tests listen on the own machine.
    AI_NETWORKS: '127.0.0.0/8',
    ASSAY_HOME: home,
    ...patientLimits,
    ...variables,
  };
  const logDirectory = path.join(home, 'logs', database);
  const reported: string[] = [];
  const stack: Stack = await startStack({
    config: readConfig(env),
    env,
    logDirectory,
    notify: (line) => reported.push(line),
  });
  const orms = new Map<Role, Orm>();
  const backend: Backend = {
    name,
    url: stack.url,
    opsUrl: stack.opsUrl!,
    opsUrls: stack.opsUrls,
    ownerUrl,
    superuserUrl: superuserUrl(database),
    redis,
    logDirectory,
    orm(role) {
      const orm = orms.get(role) ?? openOrm(roleUrl(ownerUrl, role), 4);
      orms.set(role, orm);
      return orm;
    },
    notices: reported,
    pid: stack.pid,
    async stop() {
      watched.forget();
      await Promise.all([...orms.values()].map((orm) => orm.close()));
      await stack.stop();
      if (pooler) await stopPooler(pooler);
      await redis?.stop();
    },
  };
  const watched = watchState(backend, database);
  return backend;
}

/** Stops a pooler. Prints how much it was used, so that a run behind a pooler shows that it was one. */
async function stopPooler(pooler: Pooler): Promise<void> {
  const transactions = await pooler.transactions().catch(() => 0);
  process.stdout.write(`PgBouncer passed on ${transactions} transactions\n`);
  await pooler.stop();
}

async function poolerOf(database: { ownerUrl: string; superuserUrl: string }): Promise<Pooler> {
  await limitRoles(database);
  return startPooler(database.ownerUrl, POOLED_CONNECTIONS);
}
