import type { EventEmitter } from 'node:events';
import type { Pool, PoolClient } from 'pg';
import { MikroORM, type EntityManager, type SqlEntityManager } from '@mikro-orm/postgresql';
import { Migrator } from '@mikro-orm/migrations';
import { MIGRATIONS_TABLE, type Orm, type Tenant, type TransactionOptions } from './base.ts';
import { TransactionClient } from './client.ts';
import { entities } from './entities.ts';
import { migrations } from './migrations/index.ts';

export type OrmOptions = {
  /** How long a statement may take, in milliseconds; without an end when left out. */
  statementMs?: number;
  /** How long a connection may be waited for, in milliseconds; without an end when left out. */
  connectionMs?: number;
  /** How often a statement comes before its connection keeps it prepared; none is kept when left out. */
  keepsAfter?: number;
  /** Whether row-level security stops the role outside of a tenant's transaction, as it does that of the API. */
  isWalled?: boolean;
};

/**
 * Opens the ORM on a database URL. The connection is made on first use; `name` is what the server shows of it.
 */
export function openOrm(url: string, pool = 10, name = 'assay', options: OrmOptions = {}): Orm {
  const { keepsAfter, isWalled = false, statementMs, connectionMs } = options;
  let connections: Pool | undefined;
  const orm = new MikroORM({
    clientUrl: url,
    entities,
    extensions: [Migrator],
    migrations: {
      tableName: MIGRATIONS_TABLE,
      migrationsList: migrations,
      snapshot: false,
      snapshotOnMigrate: false,
      transactional: true,
      silent: true,
    },
    pool: { min: 0, max: pool },
    driverOptions: {
      application_name: name,
      Client: TransactionClient,
      pipeline: true,
      isWalled,
      ...(keepsAfter === undefined ? {} : { keepsAfter }),
      ...(statementMs === undefined ? {} : { statement_timeout: statementMs }),
      ...(connectionMs === undefined ? {} : { connectionTimeoutMillis: connectionMs }),
      onPoolCreated: (created: Pool) => releaseDeadConnections((connections = created)),
    },
    discovery: { checkDuplicateFieldNames: true },
    forceUtcTimezone: true,
  }) as unknown as MikroORM;
  pools.set(orm, () => connections);
  return orm;
}

/** The pool of each ORM, once it has made its first connection. */
const pools = new WeakMap<MikroORM, () => Pool | undefined>();

/** How long the owner of a connection that has ended may take to give it back by itself. */
const GIVE_BACK_MS = 1_000;

/**
 * Gives back connections that die inside a transaction. Kysely's rollback throws on such a connection before it
 * releases it, so that the pool would lose one for ever each time (kysely-org/kysely issue 1990).
 */
function releaseDeadConnections(pool: Pool): void {
  const watched = new WeakSet<PoolClient>();
  const lent = new WeakSet<PoolClient>();
  pool.on('release', (_error, client) => void lent.delete(client));
  pool.on('acquire', (client) => {
    lent.add(client);
    if (watched.has(client)) return;
    watched.add(client);
    (client as unknown as EventEmitter).once('end', () => {
      setTimeout(() => {
        if (lent.has(client)) client.release(true);
      }, GIVE_BACK_MS).unref();
    });
  });
}

export type PoolUse = { in_use: number; idle: number; waiting: number };

/** How many connections of the pool are in use or idle, and how many wait for one. */
export function poolUse(orm: Orm): PoolUse {
  const { totalCount = 0, idleCount = 0, waitingCount = 0 } = pools.get(orm)?.() ?? {};
  return { in_use: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
}

/**
 * Runs `work` in one transaction that carries the tenant: in the ORM filter and, for row-level security, in the
 * settings of the transaction. Outside of such a transaction no tenant's row can be read.
 */
export function inTenant<T>(
  orm: Orm,
  tenant: Tenant,
  work: (em: SqlEntityManager) => Promise<T>,
  { isReadOnly = false, plansOnce = false, signal, statementMs }: TransactionOptions = {},
): Promise<T> {
  const em = orm.em.fork();
  em.setFilterParams('tenant', { workspace: tenant.workspace, environment: tenant.environment });
  em.setSessionContext({
    variables: {
      'app.workspace': tenant.workspace,
      'app.environment': tenant.environment,
      ...(plansOnce ? { plan_cache_mode: 'force_generic_plan' } : {}),
      ...(statementMs === undefined ? {} : { statement_timeout: String(statementMs) }),
    },
  });
  return inTransaction(em, work, { isReadOnly, signal });
}

/**
 * One statement with parameters outside of any transaction, straight on a connection: every request begins with one. It
 * sees no tenant's rows but those that it finds its own way to. Throws the signal's reason when it is aborted.
 */
export async function askDirectly<Row>(
  orm: Orm,
  text: string,
  values: readonly unknown[],
  signal?: AbortSignal,
): Promise<Row[]> {
  const pool = pools.get(orm)?.() ?? (await nativePool(orm));
  const client = await pool.connect();
  try {
    signal?.throwIfAborted();
    const { rows } = await client.query(text, [...values]);
    return rows as Row[];
  } finally {
    client.release();
  }
}

function nativePool(orm: Orm): Promise<Pool> {
  return (orm as MikroORM).em.getConnection().getNativeClient();
}

/** Runs `work` in one transaction without a tenant, for the operator's own records and for platform data. */
export function inPlatform<T>(orm: Orm, work: (em: SqlEntityManager) => Promise<T>): Promise<T> {
  return inTransaction(orm.em.fork(), work);
}

/** As `em.transactional`, on the fork itself instead of on one more. */
async function inTransaction<T>(
  em: EntityManager,
  work: (em: SqlEntityManager) => Promise<T>,
  { isReadOnly = false, signal }: Pick<TransactionOptions, 'isReadOnly' | 'signal'> = {},
): Promise<T> {
  signal?.throwIfAborted();
  await em.begin({ readOnly: isReadOnly });
  try {
    signal?.throwIfAborted();
    const result = await work(em as SqlEntityManager);
    await em.commit();
    return result;
  } catch (error) {
    // What went wrong is told; on a connection that died of it there is nothing to roll back.
    await em.rollback().catch(() => undefined);
    throw error;
  }
}
