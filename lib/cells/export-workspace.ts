import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Clock } from '#lib/core/clock.ts';
import type { KeyChange } from '#lib/core/rewrap.ts';
import { version } from '#lib/core/version.ts';
import { ArchiveWriter, MEMBER_BYTES_MAX, refuseExisting } from '#lib/database/backup/archive.ts';
import { sha256 } from '#lib/database/backup/back-up.ts';
import { refuseWhoSeesLess } from '#lib/database/backup/row-security.ts';
import { appliedMigrations } from '#lib/database/backup/tables.ts';
import { environments } from '#lib/database/base.ts';
import { MIGRATION_LOCK } from '#lib/database/migrate.ts';
import { Frontier } from '#lib/audit/merkle.ts';
import { changeRows } from './copy-rows.ts';
import {
  authenticated,
  FORMAT,
  FORMAT_VERSION,
  MANIFEST,
  type Manifest,
  type TableRecord,
} from './manifest.ts';
import { readRanges } from './number-block.ts';
import { foreignKeys, planTables, type PlannedTable } from './plan.ts';
import { CellRefused, WHOLE_ROLE } from './refused.ts';
import { rewrapped, type CellKeys } from './secrets.ts';
import { readSharedRows, readSigningKeys } from './shared-rows.ts';

export type ExportOptions = {
  /** Whether to replace an existing file. */
  force?: boolean | undefined;
  clock: Clock;
  keys: CellKeys;
};

export type Exported = {
  manifest: Manifest;
  /** The one-time secret that encrypts the secrets of the file, and authenticates its manifest. */
  secret: Buffer;
};

/**
 * Writes everything that belongs to one workspace into one file, as of one instant, while the service runs. Memory use
 * is bounded by the size of a member and of a row. The role of the URL must see all rows despite row-level security.
 */
export async function exportWorkspace(
  url: string,
  workspace: string,
  file: string,
  options: ExportOptions,
): Promise<Exported> {
  if (!options.force) refuseExisting(file);
  const client = new Client({ connectionString: url });
  client.on('error', () => {}); // the interrupted query fails with the error
  await client.connect();
  try {
    await refuseWhoSeesLess(client, WHOLE_ROLE);
    // A migration could rewrite a table, and a snapshot from before would see the table as empty.
    await client.query('select pg_advisory_lock_shared($1)', [MIGRATION_LOCK]);
    await client.query('begin isolation level repeatable read read only');
    await client.query('set local row_security = off');
    return await writeFile(client, { workspace, file }, options);
  } finally {
    await client.end();
  }
}

type Place = { workspace: string; file: string };

async function writeFile(
  client: Client,
  { workspace, file }: Place,
  { force = false, clock, keys }: ExportOptions,
): Promise<Exported> {
  const literal = client.escapeLiteral(workspace);
  const found = await client.query<{ name: string }>('select name from workspace where uid = $1', [
    workspace,
  ]);
  if (!found.rows[0])
    throw new CellRefused('workspace_unknown', `The workspace ${workspace} does not exist.`);
  const [tables, references] = [await planTables(client), await foreignKeys(client)];
  const server = await client.query<{ server_version: string }>('show server_version');
  const createdAt = clock.now();
  const secret = randomBytes(32);
  const changeOf = (kind: keyof CellKeys): KeyChange => ({ from: keys[kind], to: secret });
  const archive = new ArchiveWriter(file, { force });
  try {
    const records: TableRecord[] = [];
    for (const table of tables) {
      const record: TableRecord = { name: table.name, columns: table.columns, rows: 0, members: [] };
      const rows = copyRows(client, table, literal, record);
      const change = rewrapped(table.name, changeOf);
      for await (const content of pieces(change ? changeRows(rows, table.columns, change) : rows)) {
        const name = `${table.name}/${String(record.members.length + 1).padStart(6, '0')}.copy`;
        await archive.add({ name, content }, createdAt);
        record.members.push({ name, bytes: content.length, sha256: sha256(content) });
      }
      records.push({ ...record, ...(await numbersOf(client, table, literal)) });
    }
    const manifest = authenticated(
      {
        format: FORMAT,
        format_version: FORMAT_VERSION,
        assay_version: version,
        server_version: server.rows[0]!.server_version,
        created_at: createdAt.toISOString(),
        workspace: { uid: workspace, name: found.rows[0].name },
        schema_version: (await appliedMigrations(client)).at(-1)!,
        tables: records,
        shared_rows: await readSharedRows(client, { tables, keys: references, workspace: literal }),
        signing_keys: await readSigningKeys(client, literal, createdAt),
        logs: await logsOf(client, workspace),
      },
      secret,
    );
    await archive.add(
      { name: MANIFEST, content: Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`) },
      createdAt,
    );
    await archive.finish();
    return { manifest, secret };
  } catch (error) {
    await archive.abort();
    throw error;
  }
}

/** Yields the workspace's rows of a table in COPY text format, in the order of their numbers. Counts the rows. */
async function* copyRows(
  client: Client,
  { name, columns, rowsOf, identity }: PlannedTable,
  workspace: string,
  record: TableRecord,
): AsyncGenerator<Buffer> {
  const listed = columns.map((column) => client.escapeIdentifier(column)).join(', ');
  const order = identity ? ` order by ${identity.column}` : '';
  const stream = client.query(
    copyTo(`copy (select ${listed} from public.${name} where ${rowsOf(workspace)}${order}) to stdout`),
  );
  yield* stream as AsyncIterable<Buffer>;
  await client.query('select'); // the count arrives after the data, before the next answer
  record.rows = stream.rowCount;
}

/** Yields a stream in pieces of equal size; only the last piece may be smaller. */
async function* pieces(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    held.push(chunk);
    bytes += chunk.length;
    while (bytes >= MEMBER_BYTES_MAX) {
      const whole = Buffer.concat(held);
      yield whole.subarray(0, MEMBER_BYTES_MAX);
      held = [whole.subarray(MEMBER_BYTES_MAX)];
      bytes = held[0]!.length;
    }
  }
  if (bytes > 0) yield Buffer.concat(held);
}

async function numbersOf(
  client: Client,
  { identity, ...table }: PlannedTable,
  workspace: string,
): Promise<Pick<TableRecord, 'numbers'>> {
  if (!identity) return {};
  const ranges = await readRanges(client, { ...table, identity }, workspace);
  if (ranges.length === 0) return {};
  const numbers = { from: ranges[0]!.from, to: ranges.at(-1)!.to };
  return { numbers: identity.isKept ? { ...numbers, ranges } : numbers };
}

/** Returns the state of both logs. A log without placed entries has the root of the empty tree. */
async function logsOf(client: Client, workspace: string): Promise<Manifest['logs']> {
  const { rows } = await client.query<Manifest['logs'][number]>(
    `select e.environment, coalesce(c.tree_size, 0)::float8 as size, coalesce(c.root_hash, $3) as root_hash,
       (select count(*)::float8 from audit_pending p
        where p.workspace_uid = $1 and p.environment = e.environment) as not_placed
     from unnest($2::text[]) e (environment) left join lateral (
       select tree_size, root_hash from audit_checkpoint
       where workspace_uid = $1 and environment = e.environment order by tree_size desc limit 1
     ) c on true order by 1`,
    [workspace, [...environments], new Frontier().root()],
  );
  return rows;
}
