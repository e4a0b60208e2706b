import { p } from '@mikro-orm/core';
import type { MikroORM, SqlEntityManager } from '@mikro-orm/postgresql';

/** The schema that the queue lives in when PostgreSQL carries it. */
export const QUEUE_SCHEMA = 'queue';

/** The migrator's own note of what it has run. It is not data. */
export const MIGRATIONS_TABLE = 'mikro_orm_migrations';

export const environments = ['sandbox', 'production'] as const;
export type Environment = (typeof environments)[number];

/** The ORM with its pool of connections. */
export type Orm = MikroORM;

/** A transaction: what queries and commands read and write through. */
export type Em = SqlEntityManager;

/** A read, with its arguments behind the transaction. */
export type Query<A extends readonly unknown[], T> = (em: Em, ...args: A) => Promise<T>;

/** Which workspace, and which of its environments, a transaction works for. */
export type Tenant = { workspace: string; environment: Environment };

export type TransactionOptions = {
  /** Refuses to write; who only reads need not wait for the end. */
  isReadOnly?: boolean | undefined;
  /**
   * Plans each statement that the connection keeps once, whatever its parameters. For statements that take one look into
   * an index for what they are asked: of a table in partitions, planning takes longer than that.
   */
  plansOnce?: boolean | undefined;
  /** Aborted when nobody needs the work any more: then it does not begin, however long a connection was waited for. */
  signal?: AbortSignal | undefined;
  /** How long a statement may take, where that is not what the connection has. */
  statementMs?: number | undefined;
};

export const serviceClasses = ['developer', 'standard', 'enterprise'] as const;
export type ServiceClass = (typeof serviceClasses)[number];

const MEBIBYTE = 1_048_576;

/**
 * What a service class allows. Requests, writes and submissions of runs count for each application and minute, all
 * requests of a workspace's applications together for the workspace; runs that compute count for the workspace. `waits`
 * are the requests of an application that an API process keeps waiting at once. A workspace's runs that have not ended
 * are bounded, for each environment, in number and in the bytes of their inputs.
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

/** Columns of every record that belongs to one workspace and one environment. */
export const tenantColumns = {
  workspaceUid: p.text(),
  environment: p.text().$type<Environment>(),
};

/**
 * The first of the two walls between tenants; the second is row-level security. A query without the filter's
 * parameters throws, so a forgotten context fails closed.
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

/** The same wall for records that a workspace has in both environments. */
export const workspaceFilter = {
  tenant: {
    name: 'tenant',
    cond: (args: { workspace: string }) => ({ workspaceUid: args.workspace }),
    default: true,
  },
};

/** The tenant that an em works for, for statements past the ORM. Throws where there is none. */
export function tenantOf(em: { getFilterParams(name: string): unknown }): {
  workspace: string;
  environment: Environment;
} {
  const tenant = em.getFilterParams('tenant');
  if (!tenant) throw new Error('this is asked for a tenant, and there is none');
  return tenant as { workspace: string; environment: Environment };
}
