import type { ClientBase } from 'pg';
import { BackupRefused } from './backup-refused.ts';

const ofBackups = 'use pg_dump and pg_restore as docs/operate/backup.md shows, or the URL of a superuser';

/**
 * Refuses a role that row-level security applies to, because a backup by such a role would contain only the rows that
 * the role can see. `advice` says what to do instead.
 */
export async function refuseWhoSeesLess(client: ClientBase, advice: string = ofBackups): Promise<void> {
  const { rowCount } = await client.query(
    'select 1 from pg_roles where rolname = current_user and (rolsuper or rolbypassrls)',
  );
  if (rowCount) return;
  throw new BackupRefused(
    'row_security',
    `the user of the database URL cannot bypass row-level security, so it does not see every row; ${advice}`,
  );
}
