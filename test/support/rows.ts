import { Client } from 'pg';
import type { Backend } from './backends.ts';

/** Runs SQL as the superuser of the test's database, whom no policy hides anything from. */
export async function asSuperuser<T>(backend: Backend, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: backend.superuserUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Follows from the entries of the audit log a moment later. */
const PLACED = ['audit_pending', 'audit_leaf', 'audit_node', 'audit_checkpoint', 'event', 'event_position'];

/** The number of rows of every table, all at one instant, but for those that follow from `audit_entry`. */
export function countRows(backend: Backend): Promise<Record<string, number>> {
  return asSuperuser(backend, async (client) => {
    await client.query('begin isolation level repeatable read');
    const tables = await client.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' and tablename <> all($1) order by 1`,
      [PLACED],
    );
    const counts: Record<string, number> = {};
    for (const { name } of tables.rows) {
      const { rows } = await client.query(
        `select count(*)::int as count from ${client.escapeIdentifier(name)}`,
      );
      counts[name] = rows[0].count;
    }
    return counts;
  });
}
