import { Client } from 'pg';
import { canonicalHash } from '#lib/core/seal.ts';
import { BackupRefused } from './backup-refused.ts';
import type { Manifest } from './manifest.ts';

type Trial = {
  kind: 'restore' | 'rehearsal';
  /** Undefined if the backup itself could not be read. */
  manifest?: Manifest | undefined;
  /** The error of a trial that failed. */
  error?: unknown;
  now: Date;
};

/** The reasons for which a restore does not begin. They say nothing about the backup. */
const notTried: ReadonlySet<string> = new Set([
  'in_use',
  'not_empty',
  'row_security',
  'file_unreadable',
  'backup_foreign',
]);

/** Whether an error ended a restore that had begun. */
export function isTrial(error: unknown): boolean {
  return !(error instanceof BackupRefused && notTried.has(error.code));
}

/**
 * Records the outcome of a restore that was tried. Does nothing if the database does not have the table yet.
 */
export async function recordTrial(url: string, { kind, manifest, error, now }: Trial): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const known = await client.query<{ is: boolean }>(
      `select to_regclass('public.restore_trial') is not null as is`,
    );
    if (!known.rows[0]!.is) return;
    const code = error === undefined ? null : error instanceof BackupRefused ? error.code : 'restore_failed';
    const rows = manifest?.tables.reduce((sum, table) => sum + table.rows, 0) ?? null;
    await client.query(
      `insert into restore_trial (kind, succeeded, code, backup_hash, backup_made_at, tables, rows, tried_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        kind,
        code === null,
        code,
        manifest ? canonicalHash(manifest) : null,
        manifest?.created_at ?? null,
        manifest?.tables.length ?? null,
        rows,
        now,
      ],
    );
  } finally {
    await client.end();
  }
}
