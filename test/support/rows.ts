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

/** The number of rows of every table, all at one instant. */
export function countRows(backend: Backend): Promise<Record<string, number>> {
  return asSuperuser(backend, async (client) => {
    await client.query('begin isolation level repeatable read');
    const tables = await client.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
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
