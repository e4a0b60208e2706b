import { readConfig, type Config } from '#lib/core/config.ts';
import type { Orm, Query, Tenant } from '#lib/database/base.ts';
import type { Queries } from '#lib/database/queries.ts';
import { roleUrl } from '#lib/database/roles.ts';
import { notice } from './output.ts';

/**
 * The operator's access to the database. Its transactions use the operator's role, which has more write
 * privileges than the API's role.
 */
export type Operator = {
  config: Config;
  /** The URL of the database, with the operator's role. */
  databaseUrl: string;
  /** The configured URL, with the owner's or the operator's role. */
  ownerUrl: string;
  orm: Orm;
  query: Queries;
};

const CONNECTIONS = 4;

/**
 * The connections that stay open between the commands of one process, by the URL of the database; undefined
 * if each command closes its connection.
 */
let kept: Map<string, Orm> | undefined;

/** Keeps connections open between commands. Used by a process that runs several commands. */
export function keepConnections(): void {
  kept = new Map();
}

async function connect(url: string): Promise<{ orm: Orm; release(): Promise<void> }> {
  const { openOrm } = await import('#lib/database/orm.ts');
  const orm = kept?.get(url) ?? openOrm(url, CONNECTIONS);
  kept?.set(url, orm);
  return { orm, release: async () => void (kept || (await orm.close())) };
}

/**
 * Opens the database as the operator for the duration of one command. The ORM is loaded only here, so printing help
 * does not load the ORM.
 */
export async function asOperator<T>(work: (operator: Operator) => Promise<T>): Promise<T> {
  const [{ openOwnedDatabase }, { queriesOn }] = await Promise.all([
    import('#lib/database/open.ts'),
    import('#lib/database/queries.ts'),
  ]);
  const config = readConfig();
  const database = await openOwnedDatabase(config, notice);
  const databaseUrl = roleUrl(database.ownerUrl, 'operator', config);
  const { orm, release } = await connect(databaseUrl);
  try {
    return await work({
      config,
      databaseUrl,
      ownerUrl: database.ownerUrl,
      orm,
      query: queriesOn(orm),
    });
  } finally {
    await release();
    await database.release();
  }
}

/** Runs one query as the operator. */
export function ask<A extends readonly unknown[], T>(
  place: Tenant | 'everywhere',
  query: Query<A, T>,
  ...args: A
): Promise<T> {
  return asOperator((operator) => operator.query(place, query, ...args));
}
