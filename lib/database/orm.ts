import type { EventEmitter } from 'node:events';
import type { Pool, PoolClient } from 'pg';
import { MikroORM, type EntityManager, type SqlEntityManager } from '@mikro-orm/postgresql';
import { Migrator } from '@mikro-orm/migrations';
import {
  deferText,
  MIGRATIONS_TABLE,
  type Orm,
  type StatementEm,
  type Tenant,
  type TransactionOptions,
} from './base.ts';
import { TransactionClient } from './client.ts';
import { entities } from './entities.ts';
import { kyselyOf } from './kysely.ts';
import { migrations } from './migrations/index.ts';

export type OrmOptions = {
  /** Statement time limit in milliseconds. Default: none. */
  statementMs?: number;
  /** Time limit of a transaction that waits for its next statement, in milliseconds. Default: none. */
  idleMs?: number;
  /** Time limit of a wait for a connection, in milliseconds. Default: none. */
  connectionMs?: number;
  /** The longest time for which the server may send nothing while a statement runs, in milliseconds. Default: none. */
  silentMs?: number;
  /** The number of uses after which the connection keeps a statement prepared. Default: never. */
  keepsAfter?: number;
};

type SingleOptions = Pick<TransactionOptions, 'isReadOnly' | 'signal' | 'statementMs' | 'confirmation'> & {
  /**
   * Whether the commit waits until it is on disk. Without this wait, a crash of the database can undo the transaction,
   * so it may only write what is repaired later. Default: true.
   */
  waitsForDisk?: boolean;
};

/**
 * Creates the ORM for a database URL. The ORM connects on first use. The server lists the connections of the ORM under
 * `name`.
 */
export function openOrm(url: string, pool = 10, name = 'assay', options: OrmOptions = {}): Orm {
  const { keepsAfter, statementMs, idleMs, connectionMs, silentMs } = options;
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
      ...(keepsAfter === undefined ? {} : { keepsAfter }),
      ...(statementMs === undefined ? {} : { statement_timeout: statementMs }),
      ...(idleMs === undefined ? {} : { idle_in_transaction_session_timeout: idleMs }),
      ...(silentMs === undefined ? {} : { silentMs }),
      ...(connectionMs === undefined ? {} : { connectionTimeoutMillis: connectionMs }),
      onPoolCreated: (created: Pool) => releaseDeadConnections((connections = created)),
    },
    discovery: { checkDuplicateFieldNames: true },
    forceUtcTimezone: true,
  }) as unknown as MikroORM;
  pools.set(orm, () => connections);
  return orm;
}

/** The connection pool of each ORM. A pool is known once its ORM has made the first connection. */
const pools = new WeakMap<MikroORM, () => Pool | undefined>();

/**
 * Milliseconds after the end of a connection. If the code that uses the connection has not released it by
 * then, the pool releases it.
 */
const GIVE_BACK_MS = 1_000;

/**
 * Releases connections that are lost inside a transaction. On such a connection, Kysely's rollback throws
 * before the release, so the pool would lose the connection permanently (kysely-org/kysely issue 1990).
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

/** Returns the numbers of used and idle connections of the pool, and of requests that wait for a connection. */
export function poolUse(orm: Orm): PoolUse {
  const { totalCount = 0, idleCount = 0, waitingCount = 0 } = pools.get(orm)?.() ?? {};
  return { in_use: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
}

/**
 * Runs `work` in one transaction for a tenant. The tenant is set in the ORM filter and, for row-level security, in the
 * settings of the transaction. Outside such a transaction, no tenant's row can be read.
 */
export async function inTenant<T>(
  orm: Orm,
  tenant: Tenant,
  work: (em: SqlEntityManager) => Promise<T>,
  { isReadOnly = false, plansOnce = false, signal, statementMs, confirmation }: TransactionOptions = {},
): Promise<T> {
  const em = orm.em.fork();
  const guard = confirmation?.take();
  em.setFilterParams('tenant', { workspace: tenant.workspace, environment: tenant.environment });
  em.setSessionContext({
    variables: {
      ...(guard ? {} : settingsOf(tenant)),
      ...(plansOnce ? { plan_cache_mode: 'force_generic_plan', enable_sort: 'off' } : {}),
      ...(statementMs === undefined ? {} : { statement_timeout: String(statementMs) }),
    },
  });
  if (!guard) return inTransaction(em, work, { isReadOnly, signal });
  const guarded = async () => {
    await deferText(em, guard);
    return work(em);
  };
  const result = await inTransaction(em, guarded, { isReadOnly, signal });
  confirmation!.confirm();
  return result;
}

/** Returns the settings of a transaction that show its tenant's rows. */
function settingsOf({ workspace, environment }: Tenant): Record<string, string> {
  return { 'app.workspace': workspace, 'app.environment': environment };
}

/**
 * Runs one statement with parameters outside any transaction, directly on a connection. Every API request
 * begins with such a statement. The statement sees no tenant's rows except through functions that it calls.
 * Throws the signal's reason if the signal is aborted.
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

/**
 * Runs `work`, which sends one statement, in a transaction for a tenant. The transaction is one round trip. Throws if
 * `work` sends a second statement. Otherwise works like `inTenant`.
 */
export async function inOneStatement<T>(
  orm: Orm,
  tenant: Tenant,
  work: (em: StatementEm) => Promise<T>,
  { isReadOnly = false, signal, statementMs, waitsForDisk = true, confirmation }: SingleOptions = {},
): Promise<T> {
  signal?.throwIfAborted();
  const pool = pools.get(orm)?.() ?? (await nativePool(orm));
  const client = (await pool.connect()) as PoolClient & TransactionClient;
  const guard = isReadOnly && statementMs === undefined ? confirmation?.take() : undefined;
  const settings = {
    ...settingsOf(tenant),
    ...(statementMs === undefined ? {} : { statement_timeout: String(statementMs) }),
    ...(waitsForDisk ? {} : { synchronous_commit: 'off' }),
  };
  let isSent = false;
  const kysely = kyselyOf(async (text, values) => {
    if (isSent) throw new Error('only one statement can be sent in this transaction');
    isSent = true;
    if (!guard) return client.transact({ text, values, settings, isReadOnly });
    const result = await client.guarded({ text, values }, guard);
    confirmation!.confirm();
    return result;
  });
  try {
    signal?.throwIfAborted();
    return await work({ getKysely: () => kysely, getFilterParams: () => tenant } as StatementEm);
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

/** Works like `em.transactional`, but uses the given fork instead of creating another fork. */
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
    // The original error is thrown. If the error closed the connection, there is nothing to roll back.
    await em.rollback().catch(() => undefined);
    throw error;
  }
}
