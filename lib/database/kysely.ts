import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type DatabaseConnection,
  type Driver,
} from 'kysely';
import type { QueryResult } from 'pg';

type Send = (text: string, values: readonly unknown[]) => Promise<QueryResult>;

/** Returns a query builder whose statements are sent by the given function. It opens no transaction. */
export function kyselyOf(send: Send): Kysely<unknown> {
  const connection: DatabaseConnection = {
    async executeQuery<R>({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) {
      const { rows } = await send(sql, parameters);
      return { rows: rows as R[] };
    },
    streamQuery: unsupported,
  };
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: unsupported,
    commitTransaction: unsupported,
    rollbackTransaction: unsupported,
    releaseConnection: async () => {},
    destroy: async () => {},
  };
  return new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}

function unsupported(): never {
  throw new Error('only single statements are supported');
}
