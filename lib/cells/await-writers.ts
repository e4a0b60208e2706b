import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { CellRefused } from './refused.ts';

const POLL_MS = 50;

/**
 * Waits until every transaction that began before now has ended. Statements that began before a workspace was frozen may
 * still write to it; later statements cannot. Refuses after `waitMs`, and names the oldest transaction.
 */
export async function awaitWriters(url: string, waitMs: number): Promise<void> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {}); // the next query fails with the error
  await client.connect();
  try {
    const { rows } = await client.query<{ mark: string }>('select pg_current_xact_id()::text as mark');
    const endsAt = performance.now() + waitMs;
    for (;;) {
      const open = await client.query<{ pid: number; name: string; seconds: number | null }>(OPEN, [
        rows[0]!.mark,
      ]);
      const [oldest] = open.rows;
      if (!oldest) return;
      if (performance.now() >= endsAt) {
        throw new CellRefused(
          'transactions_open',
          `process ${oldest.pid} (${oldest.name}) of the database has had a transaction open` +
            `${oldest.seconds === null ? '' : ` for ${oldest.seconds} s`}; end it, or move the workspace at another time`,
        );
      }
      await delay(POLL_MS);
    }
  } finally {
    await client.end();
  }
}

/**
 * The transactions that may still write with a view from before the mark. A transaction id is compared by its age. Without
 * the rights of `pg_read_all_stats`, the type and the begin of other roles' transactions are null. Autovacuum has no user,
 * and a sender of the log writes nothing.
 */
const OPEN = `
  select pid, application_name as name, extract(epoch from now() - xact_start)::int as seconds from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()
    and usesysid is not null and backend_type is distinct from 'walsender'
    and (age(backend_xid) > age($1::text::xid) or age(backend_xmin) > age($1::text::xid))
  order by greatest(age(backend_xid), age(backend_xmin)) desc, pid limit 1`;
