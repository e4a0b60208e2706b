import Router from '@koa/router';
import { sql } from 'kysely';
import { cachedFor } from '#lib/core/cached-for.ts';
import { migrations } from '#lib/database/migrations/index.ts';
import type { Orm } from '#lib/database/base.ts';
import { roleLimits, type RoleLimit } from '#lib/database/time-limits.ts';

/** Time limit of a check in milliseconds. A check that exceeds it has failed. */
const CHECK_MS = 1_000;
/** Milliseconds for which the result of the checks is reused for all callers. */
const KEPT_MS = 100;

export type Check = { ok: boolean; ms: number; reason?: string };
export type Readiness = {
  status: 'ready' | 'degraded' | 'not_ready';
  draining: boolean;
  checks: Record<string, Check>;
};

export type HealthOptions = {
  orm: Orm;
  /** Sends a command to the queue. Throws if the queue is unreachable. */
  queue(): Promise<unknown>;
  /** Whether a pooler is between the process and PostgreSQL. It can drop the time limits that the process sets. */
  isPooled: boolean;
  /** Whether the process currently receives notices of runs. */
  notices(): boolean;
  isDraining(): boolean;
};

/**
 * The checks that must succeed for a process to serve requests. If only other checks fail, the process is degraded, but
 * still serves requests.
 */
const needed = new Set(['database', 'migrations']);

export type Health = () => Promise<Readiness>;

/**
 * Creates the check of a process, which tests all dependencies. Without its queue or its notices, the process is
 * degraded: submissions are recorded and dispatched later, and waiting requests poll the record. Behind a pooler, the
 * process is also degraded while its connections have no time limits.
 */
export function createHealth({ orm, queue, isPooled, notices, isDraining }: HealthOptions): Health {
  const check = cachedFor(KEPT_MS, async () => ({
    database: await checked(() => sql`select 1`.execute(orm.em.fork().getKysely())),
    migrations: await checked(() => newestSchema(orm)),
    queue: await checked(queue),
    notices: await checked(async () => {
      if (!notices()) throw new Error('the connection is interrupted and is being restored');
    }),
    ...(isPooled ? { limits: await checked(() => limitsInForce(orm)) } : {}),
  }));
  return async () => {
    const checks = await check();
    const failed = Object.entries(checks).filter(([, { ok }]) => !ok);
    const draining = isDraining();
    const isNotReady = draining || failed.some(([name]) => needed.has(name));
    return { status: isNotReady ? 'not_ready' : failed.length ? 'degraded' : 'ready', draining, checks };
  };
}

/**
 * Creates the routes `/healthz`, which reports that the process is alive, and `/readyz`, which reports that it can
 * serve requests. With `reasons`, the answers contain the reasons of failures; only operators may see them.
 */
export function healthRoutes(health: Health, { reasons }: { reasons: boolean }): Router {
  const router = new Router();
  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' };
  });
  router.get('/readyz', async (ctx) => {
    const readiness = await health();
    ctx.status = readiness.status === 'not_ready' ? 503 : 200;
    ctx.body = reasons ? readiness : { status: readiness.status };
  });
  return router;
}

async function checked(check: () => Promise<unknown>): Promise<Check> {
  const started = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${CHECK_MS} ms`)), CHECK_MS);
  });
  try {
    await Promise.race([check(), late]);
    return { ok: true, ms: since(started) };
  } catch (error) {
    return { ok: false, ms: since(started), reason: (error as Error).message };
  } finally {
    clearTimeout(timer);
  }
}

function since(started: number): number {
  return Math.round(performance.now() - started);
}

/** Throws if a connection of the pool has no limit for its statements or its transactions. */
async function limitsInForce(orm: Orm): Promise<void> {
  const columns = roleLimits.map((name) => sql`current_setting(${name}) as ${sql.id(name)}`);
  const { rows } = await sql<Record<RoleLimit, string>>`select ${sql.join(columns)}`.execute(
    orm.em.fork().getKysely(),
  );
  const missing = roleLimits.filter((name) => rows[0]![name] === '0');
  if (missing.length) throw new Error(`no limit behind the pooler: ${missing.join(', ')}`);
}

async function newestSchema(orm: Orm): Promise<void> {
  const { rows } = await sql<{ name: string }>`select applied_migrations() as name`.execute(
    orm.em.fork().getKysely(),
  );
  const applied = new Set(rows.map((row) => row.name));
  const missing = migrations.filter(({ name }) => !applied.has(name));
  if (missing.length) throw new Error(`pending migrations: ${missing.map(({ name }) => name).join(', ')}`);
}
