import type { ClientBase } from 'pg';
import { BackupRefused } from './backup-refused.ts';

/**
 * Refuses a role that row-level security applies to, because a backup by such a role would contain only the rows that
 * the role can see.
 */
export async function refuseWhoSeesLess(client: ClientBase): Promise<void> {
  const { rowCount } = await client.query(
    'select 1 from pg_roles where rolname = current_user and (rolsuper or rolbypassrls)',
  );
  if (rowCount) return;
  throw new BackupRefused(
    'row_security',
    'the user of DATABASE_URL cannot bypass row-level security, so it does not see every row; use pg_dump and ' +
      'pg_restore as docs/operate/backup.md shows, or the URL of a superuser',
  );
}
