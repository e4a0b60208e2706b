import { createHash } from 'node:crypto';
import { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Clock } from '#lib/core/clock.ts';
import { version } from '#lib/core/version.ts';
import { MIGRATION_LOCK } from '../migrate.ts';
import { ArchiveWriter, MEMBER_BYTES_MAX, refuseExisting } from './archive.ts';
import { BackupRefused } from './backup-refused.ts';
import { FORMAT, FORMAT_VERSION, MANIFEST, type Manifest, type TableRecord } from './manifest.ts';
import { refuseWhoSeesLess } from './row-security.ts';
import { appliedMigrations, listTables, type Table } from './tables.ts';

export type BackupOptions = {
  /** Whether to replace an existing file. */
  force?: boolean | undefined;
  clock: Clock;
  /** Reports the progress: how many bytes of the database, as stored on disk, have been read. */
  onProgress?: ((progress: { done: number; total: number; table: string }) => void) | undefined;
};

/**
 * Writes all data tables into one file, as of one instant, while the service runs. The role of the URL must see all
 * rows despite row-level security. The queue is left out, because the run records contain all pending work.
 */
export async function backUp(url: string, file: string, options: BackupOptions): Promise<Manifest> {
  if (!options.force) refuseExisting(file);
  const client = new Client({ connectionString: url });
  client.on('error', () => {}); // the interrupted query fails with the error
  await client.connect().catch(refuseMissingDatabase);
  try {
    await refuseWhoSeesLess(client);
    // The lock is taken before the snapshot. Otherwise a migration could rewrite a table, and the snapshot would see
    // the table as empty.
    await client.query('select pg_advisory_lock_shared($1)', [MIGRATION_LOCK]);
    await client.query('begin isolation level repeatable read read only');
    await client.query('set local row_security = off');
    return await writeArchive(client, file, options);
  } finally {
    await client.end();
  }
}

async function writeArchive(client: Client, file: string, options: BackupOptions): Promise<Manifest> {
  const migrations = await appliedMigrations(client);
  if (migrations.length === 0) refuseMissingDatabase();
  const tables = await listTables(client);
  const server = await client.query<{ server_version: string }>('show server_version');
  const createdAt = options.clock.now();
  const total = tables.reduce((sum, { bytes }) => sum + bytes, 0);
  const archive = new ArchiveWriter(file, { force: options.force ?? false });
  try {
    const records: TableRecord[] = [];
    let done = 0;
    for (const table of tables) {
      const record: TableRecord = { name: table.name, columns: table.columns, rows: 0, members: [] };
      let copied = 0;
      for await (const content of pieces(client, table, record)) {
        const name = `${table.name}/${String(record.members.length + 1).padStart(6, '0')}.copy`;
        await archive.add({ name, content }, createdAt);
        record.members.push({ name, bytes: content.length, sha256: sha256(content) });
        copied += content.length;
        options.onProgress?.({ done: done + Math.min(copied, table.bytes), total, table: table.name });
      }
      done += table.bytes;
      records.push(record);
    }
    const manifest: Manifest = {
      format: FORMAT,
      format_version: FORMAT_VERSION,
      assay_version: version,
      server_version: server.rows[0]!.server_version,
      created_at: createdAt.toISOString(),
      migrations,
      tables: records,
    };
    const content = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`);
    await archive.add({ name: MANIFEST, content }, createdAt);
    await archive.finish();
    return manifest;
  } catch (error) {
    await archive.abort();
    throw error;
  }
}

/**
 * Yields the rows of a table in COPY text format, in chunks of equal size; only the last chunk may be smaller. Counts
 * the rows.
 */
async function* pieces(client: Client, table: Table, record: TableRecord): AsyncGenerator<Buffer> {
  const columns = table.columns.map((name) => client.escapeIdentifier(name)).join(', ');
  const name = `public.${client.escapeIdentifier(table.name)}`;
  // PostgreSQL cannot copy from a partitioned table, but it can copy from a query.
  const rows = table.isPartitioned ? `(select ${columns} from ${name})` : `${name} (${columns})`;
  const stream = client.query(copyTo(`copy ${rows} to stdout`));
  let held: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    held.push(chunk);
    bytes += chunk.length;
    if (bytes < MEMBER_BYTES_MAX) continue;
    const whole = Buffer.concat(held);
    yield whole.subarray(0, MEMBER_BYTES_MAX);
    held = [whole.subarray(MEMBER_BYTES_MAX)];
    bytes = held[0]!.length;
  }
  if (bytes > 0) yield Buffer.concat(held);
  await client.query('select'); // the count arrives after the data, before the next answer
  record.rows = stream.rowCount;
}

function refuseMissingDatabase(error?: { code?: string }): never {
  const missing = '3D000';
  if (error && error.code !== missing) throw error;
  throw new BackupRefused('nothing_to_back_up', 'there is no Assay database here');
}

export function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
