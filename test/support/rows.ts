import { Pool, type PoolClient } from 'pg';
import { roleName, type Role } from '#lib/database/roles.ts';
import type { Backend } from './backends.ts';

/**
 * The open connections, by database. Opening a connection takes longer than most queries, so each database
 * keeps a few.
 */
const pools = new Map<string, Pool>();

/**
 * Runs SQL as the superuser of the test's database, to whom row-level security does not apply. Afterwards no
 * transaction is open and no setting is changed.
 */
export async function asSuperuser<T>(
  { superuserUrl }: Pick<Backend, 'superuserUrl'>,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const pool = pools.get(superuserUrl) ?? openPool(superuserUrl);
  const client = await pool.connect();
  let broken: Error | undefined;
  const onError = (error: Error) => (broken = error);
  client.on('error', onError);
  try {
    return await work(client);
  } finally {
    await client
      .query('rollback')
      .then(() => client.query('discard all'))
      .catch((error: Error) => (broken = error));
    client.off('error', onError);
    client.release(broken);
  }
}

function openPool(url: string): Pool {
  const pool = new Pool({ connectionString: url, max: 4, idleTimeoutMillis: 5_000, allowExitOnIdle: true });
  pool.on('error', () => {}); // the database was dropped, or its server killed
  pools.set(url, pool);
  return pool;
}

/** Runs `work` while the given roles lack a privilege on a table, to simulate a fault. */
export async function withoutPrivilege(
  backend: Backend,
  { privilege, table, roles }: { privilege: 'select' | 'insert'; table: string; roles: readonly Role[] },
  work: () => Promise<void>,
): Promise<void> {
  const change = (verb: 'revoke' | 'grant') =>
    asSuperuser(backend, async (client) => {
      const { rows } = await client.query('select current_database() as name');
      const names = roles.map((role) => client.escapeIdentifier(roleName(rows[0].name, role))).join(', ');
      await client.query(`${verb} ${privilege} on ${table} ${verb === 'grant' ? 'to' : 'from'} ${names}`);
    });
  await change('revoke');
  try {
    await work();
  } finally {
    await change('grant');
  }
}

/**
 * The tables that a worker fills from the entries of the audit log, shortly after the entries are written.
 */
const PLACED = ['audit_pending', 'audit_leaf', 'audit_node', 'audit_checkpoint', 'event', 'event_position'];

/** The tables that count calls. They are written in the background, so a row can appear long after its call. */
const METERED = ['credential_use', 'rate_limit', 'usage_count'];

/**
 * Returns the number of rows of every table at one instant, except tables derived from `audit_entry` and tables that
 * count calls. With a workspace, only the rows of this workspace are counted in tables that name a workspace, because
 * housekeeping may write rows for other workspaces meanwhile.
 */
export function countRows(backend: Backend, workspace?: string): Promise<Record<string, number>> {
  return asSuperuser(backend, async (client) => {
    await client.query('begin isolation level repeatable read');
    const tables = await client.query<{ name: string; is_owned: boolean }>(
      `select tablename as name, exists (
         select from information_schema.columns c
         where c.table_schema = 'public' and c.table_name = tablename and c.column_name = 'workspace_uid'
       ) as is_owned
       from pg_tables where schemaname = 'public' and tablename <> all($1) order by 1`,
      [[...PLACED, ...METERED]],
    );
    const counts: Record<string, number> = {};
    for (const { name, is_owned } of tables.rows) {
      const isOwn = workspace !== undefined && is_owned;
      const { rows } = await client.query(
        `select count(*)::int as count from ${client.escapeIdentifier(name)} ${isOwn ? 'where workspace_uid = $1' : ''}`,
        isOwn ? [workspace] : [],
      );
      counts[name] = rows[0].count;
    }
    return counts;
  });
}

/** The names of the tables whose number of rows differs, sorted. */
export const changedTables = (before: Record<string, number>, after: Record<string, number>): string[] =>
  Object.keys(after)
    .filter((table) => after[table] !== before[table])
    .sort();
