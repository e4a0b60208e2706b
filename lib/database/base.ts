import { p, type EntityName } from '@mikro-orm/core';
import type { Confirmation, Statement } from '#lib/core/confirmation.ts';
import { CompiledQuery, sql, type RawBuilder } from 'kysely';
import type { MikroORM, SqlEntityManager } from '@mikro-orm/postgresql';

/** The schema of the queue. It exists only if the queue is stored in PostgreSQL. */
export const QUEUE_SCHEMA = 'queue';

/** The table in which the migrator records its migrations. It contains no data. */
export const MIGRATIONS_TABLE = 'mikro_orm_migrations';

export const environments = ['sandbox', 'production'] as const;
export type Environment = (typeof environments)[number];

/** The ORM with its connection pool. */
export type Orm = MikroORM;

/** An entity manager inside a transaction. Queries and commands read and write through it. */
export type Em = SqlEntityManager;

/** The part of an entity manager that sends statements outside the ORM. */
export type StatementEm = Pick<Em, 'getKysely' | 'getFilterParams'>;

/** The beginning of a statement that is sent together with the next statement of its transaction. */
export const DEFERRED = '/* deferred */ ';

/**
 * Sends a statement together with the next statement of the transaction, which may be its commit. This saves a round trip
 * for a write whose rows nobody needs. If the statement fails, the next statement throws its error, and the transaction
 * is rolled back.
 */
export async function defer(em: StatementEm, statement: RawBuilder<unknown>): Promise<void> {
  await sql`${sql.raw(DEFERRED)}${statement}`.execute(em.getKysely());
}

/** Works like `defer`, for a statement as a text. */
export async function deferText(em: StatementEm, { text, values }: Statement): Promise<void> {
  await em.getKysely().executeQuery(CompiledQuery.raw(DEFERRED + text, [...values]));
}

/** Sends the deferred statements of a transaction now. Throws the error of the first one that fails. */
export async function sendDeferred(em: StatementEm): Promise<void> {
  await sql`select`.execute(em.getKysely());
}

/**
 * Returns the entity of a row that a statement outside the ORM has read. The ORM does not track the entity: changes of
 * it are not written.
 */
export function untracked<T extends object>(em: Em, entity: EntityName<T>, row: Record<string, unknown>): T {
  const found = em.map(entity, row as never);
  em.getUnitOfWork().unsetIdentity(found);
  return found;
}

/**
 * Returns the entities of the rows of a statement, which the ORM tracks. The ORM writes the values of its own statements
 * into their texts, so that the server plans each of them again. A statement with parameters is prepared once.
 */
export async function readRows<T extends object>(
  em: Em,
  entity: EntityName<T>,
  statement: RawBuilder<unknown>,
): Promise<T[]> {
  await em.tryFlush(entity, {});
  const { rows } = await statement.execute(em.getKysely());
  return rows.map((row) => em.map(entity, row as never));
}

/** A query: a function that reads in a transaction, which is its first argument. */
export type Query<A extends readonly unknown[], T> = (em: Em, ...args: A) => Promise<T>;

/** The workspace and environment that a transaction works for. */
export type Tenant = { workspace: string; environment: Environment };

export type TransactionOptions = {
  /**
   * Whether the transaction is read-only. In a read-only transaction, the database refuses writes, and the caller does
   * not wait for the end of the transaction.
   */
  isReadOnly?: boolean | undefined;
  /**
   * Whether each cached statement of the connection is planned only once, for all parameters. Suitable for index
   * lookups: on a partitioned table, planning takes longer than the lookup. The plans prefer the order of an index to a
   * sort, so that a limit ends the reading of a long series.
   */
  plansOnce?: boolean | undefined;
  /**
   * A signal that is aborted when nobody needs the work any more. Work that still waits for a connection at that time
   * does not begin.
   */
  signal?: AbortSignal | undefined;
  /** Statement time limit in milliseconds. Default: the limit of the connection. */
  statementMs?: number | undefined;
  /** Confirms the caller in this transaction, unless an earlier one does. */
  confirmation?: Confirmation | undefined;
};

export const serviceClasses = ['developer', 'standard', 'enterprise'] as const;
export type ServiceClass = (typeof serviceClasses)[number];

const MEBIBYTE = 1_048_576;

/**
 * The limits of a service class. Per application and minute: `requests`, `writes` and `submissions` of runs.
 * Per workspace and minute: `workspaceRequests`. Per workspace: `runningRuns`. Per application and API
 * process: `waits`, the requests that wait at the same time. Per environment of a workspace: `queuedRuns`,
 * the unfinished runs, and `queuedBytes`, the bytes of their inputs.
 */
export type ServiceClassLimits = {
  requests: number;
  writes: number;
  submissions: number;
  workspaceRequests: number;
  runningRuns: number;
  waits: number;
  queuedRuns: number;
  queuedBytes: number;
};

export const serviceClassLimits: Record<ServiceClass, ServiceClassLimits> = {
  developer: {
    requests: 600,
    writes: 60,
    submissions: 30,
    workspaceRequests: 2_400,
    runningRuns: 4,
    waits: 20,
    queuedRuns: 2_000,
    queuedBytes: 64 * MEBIBYTE,
  },
  standard: {
    requests: 6_000,
    writes: 1_200,
    submissions: 300,
    workspaceRequests: 24_000,
    runningRuns: 16,
    waits: 100,
    queuedRuns: 10_000,
    queuedBytes: 512 * MEBIBYTE,
  },
  enterprise: {
    requests: 60_000,
    writes: 12_000,
    submissions: 3_000,
    workspaceRequests: 240_000,
    runningRuns: 64,
    waits: 400,
    queuedRuns: 50_000,
    queuedBytes: 4_096 * MEBIBYTE,
  },
};

/** The columns of every record that belongs to one workspace and one environment. */
export const tenantColumns = {
  workspaceUid: p.text(),
  environment: p.text().$type<Environment>(),
};

/**
 * The ORM filter by tenant. The filter is the first of two barriers between tenants; the second barrier is row-level
 * security. A query without the filter's parameters throws, so code without a tenant cannot read anything.
 */
export const tenantFilter = {
  tenant: {
    name: 'tenant',
    cond: (args: { workspace: string; environment: string }) => ({
      workspaceUid: args.workspace,
      environment: args.environment,
    }),
    default: true,
  },
};

/** The ORM filter for records that a workspace shares between both environments. */
export const workspaceFilter = {
  tenant: {
    name: 'tenant',
    cond: (args: { workspace: string }) => ({ workspaceUid: args.workspace }),
    default: true,
  },
};

/**
 * Returns the tenant of an entity manager, for statements outside the ORM. Throws if the entity manager has no tenant.
 */
export function tenantOf(em: { getFilterParams(name: string): unknown }): {
  workspace: string;
  environment: Environment;
} {
  const tenant = em.getFilterParams('tenant');
  if (!tenant) throw new Error('this statement needs a tenant, but no tenant is set');
  return tenant as { workspace: string; environment: Environment };
}
