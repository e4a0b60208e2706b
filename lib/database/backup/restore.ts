import { CompiledQuery, sql } from 'kysely';
import { Client } from 'pg';
import type { Config } from '#lib/core/config.ts';
import { QUEUE_SCHEMA, type Em, type Orm, MIGRATIONS_TABLE } from '../base.ts';
import { copyInto } from '../copy.ts';
import { migrate, MIGRATION_LOCK } from '../migrate.ts';
import type { WholeDatabase } from '../open.ts';
import { inPlatform, openOrm } from '../orm.ts';
import { databaseName, roleName, roles } from '../roles.ts';
import { readArchive } from './archive.ts';
import { BackupRefused } from './backup-refused.ts';
import { checkedContents } from './checked-contents.ts';
import { MANIFEST, type Manifest, type TableRecord } from './manifest.ts';
import { refuseWhoSeesLess } from './row-security.ts';
import { listTables } from './tables.ts';

export type RestoreOptions = {
  config: Config;
  /** Whether to delete the content of a database that has workspaces. */
  replace?: boolean | undefined;
  onProgress?: ((progress: { done: number; total: number; table: string }) => void) | undefined;
};

/**
 * Loads a backup that `checkBackup` has found intact. All steps up to the newest schema run in one transaction, so a
 * failed restore leaves the database as it was. Refuses a database that has workspaces, unless `replace` is given. Also
 * refuses a database that Assay processes are connected to. Returns the names of the migrations that ran after the
 * backup was loaded.
 */
export async function restore(
  database: Pick<WholeDatabase, 'url' | 'ownerUrl'>,
  { file, manifest }: { file: string; manifest: Manifest },
  options: RestoreOptions,
): Promise<string[]> {
  const client = new Client({ connectionString: database.url });
  const orm = openOrm(database.url, 1);
  try {
    await client.connect();
    await refuseWhoSeesLess(client);
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await refuseInUse(client, databaseName(database.url));
    if (!options.replace) await refuseOccupied(client);
    await prepareMigrator(orm, database.ownerUrl);
    const added = await inPlatform(orm, (em) => load(orm, em, file, manifest, options.onProgress));
    await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    await migrate(database.ownerUrl, options.config);
    await client.query('analyze');
    return added;
  } finally {
    await client.end();
    await orm.close();
  }
}

async function load(
  orm: Orm,
  em: Em,
  file: string,
  manifest: Manifest,
  onProgress: RestoreOptions['onProgress'],
): Promise<string[]> {
  const run = (text: string) => sql.raw(text).execute(em.getKysely());
  const transaction = em.getTransactionContext()!;
  await run(WIPE);
  await asOwner(em, () => orm.migrator.up({ to: manifest.migrations.at(-1)!, transaction }));
  await refuseOtherTables(em, manifest);
  // Deletes rows that the migrations inserted.
  for (const { name } of manifest.tables.toReversed()) await run(empty(name));
  await triggers(em, manifest, 'disable');
  await run('set constraints all deferred');
  const total = manifest.tables.reduce((sum, table) => sum + bytesOf(table), 0);
  const members = readArchive(file);
  let done = 0;
  for (const table of manifest.tables) {
    const columns = table.columns.join(', ');
    const rows = await copyInto(
      em,
      `public.${table.name} (${columns})`,
      checkedContents(table.members, members, refuseChange),
    );
    if (rows !== table.rows) {
      throw new BackupRefused('backup_damaged', `${table.name} has ${rows} rows, not ${table.rows}`);
    }
    done += bytesOf(table);
    onProgress?.({ done, total, table: table.name });
  }
  if ((await members.next()).value?.name !== MANIFEST) refuseChange(file);
  await members.return(undefined);
  await run('set constraints all immediate');
  await triggers(em, manifest, 'enable');
  await run(CONTINUE_IDENTITIES);
  const added = await asOwner(em, () => orm.migrator.up({ transaction }));
  return added.map(({ name }) => name);
}

/**
 * Enables or disables the triggers of the restored tables. Triggers check rows on their creation or change. The
 * restored rows have already passed these checks.
 */
function triggers(em: Em, { tables }: Manifest, become: 'enable' | 'disable'): Promise<void> {
  return asOwner(em, async () => {
    for (const { name } of tables) {
      await sql.raw(`alter table public.${name} ${become} trigger user`).execute(em.getKysely());
    }
  });
}

/**
 * Returns the SQL that empties a table. A table without rows is not changed, because an append-only table refuses every
 * deletion.
 */
function empty(table: string): string {
  return `do $$ begin if exists (select from public.${table}) then delete from public.${table}; end if; end $$`;
}

function refuseChange(name: string): never {
  throw new BackupRefused('backup_damaged', `${name} changed while it was read`);
}

function bytesOf({ members }: TableRecord): number {
  return members.reduce((sum, { bytes }) => sum + bytes, 0);
}

/**
 * Runs migrations as the owner of the migrations table. This role then owns everything that the migrations create,
 * independent of the role that restores.
 */
async function asOwner<T>(em: Em, work: () => Promise<T>): Promise<T> {
  const { rows } = await sql<{ owner: string }>`
    select quote_ident(pg_get_userbyid(relowner)) as owner from pg_class
    where oid = ${`public.${MIGRATIONS_TABLE}`}::regclass
  `.execute(em.getKysely());
  await sql.raw(`set local role ${rows[0]!.owner}`).execute(em.getKysely());
  const done = await work();
  await sql`reset role`.execute(em.getKysely());
  return done;
}

/**
 * Creates the migrator's table. The migrator creates this table on its own connection, so the table must exist before
 * the transaction.
 */
async function prepareMigrator(orm: Orm, ownerUrl: string): Promise<void> {
  const owner = openOrm(ownerUrl, 1);
  try {
    await owner.migrator.getPending();
  } finally {
    await owner.close();
  }
  await orm.migrator.getPending();
}

async function refuseInUse(client: Client, database: string): Promise<void> {
  const { rowCount } = await client.query(
    'select 1 from pg_stat_activity where datname = $1 and usename = any($2)',
    [database, roles.map((role) => roleName(database, role))],
  );
  if (rowCount)
    throw new BackupRefused('in_use', 'processes of Assay are connected to the database; stop them first');
}

async function refuseOccupied(client: Client): Promise<void> {
  const there = await client.query<{ there: boolean }>(
    `select to_regclass('public.workspace') is not null as there`,
  );
  if (!there.rows[0]!.there) return;
  const { rowCount } = await client.query('select 1 from public.workspace limit 1');
  if (rowCount) {
    throw new BackupRefused('not_empty', 'the database has workspaces; --replace deletes all its data');
  }
}

/** Refuses the restore if the schema of the migrations differs from the schema of the backup. */
async function refuseOtherTables(em: Em, manifest: Manifest): Promise<void> {
  const client = {
    query: (text: string, values: unknown[]) => em.getKysely().executeQuery(CompiledQuery.raw(text, values)),
  } as Parameters<typeof listTables>[0];
  const here = (await listTables(client)).map(describe).sort();
  const there = manifest.tables.map(describe).sort();
  if (here.join() !== there.join()) {
    throw new BackupRefused('backup_damaged', 'the tables of the backup do not match its migrations');
  }
}

function describe({ name, columns }: { name: string; columns: readonly string[] }): string {
  return `${name}(${[...columns].sort().join()})`;
}

/**
 * The SQL that drops all tables and functions that no extension owns, and empties the queue, whose jobs belong to the
 * dropped runs. The queue's record of its own migrations is kept.
 */
const WIPE = `
  do $$
  declare
    drops text[] := array(
      select format('drop table public.%I cascade', c.relname) from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        and c.relname <> '${MIGRATIONS_TABLE}'
        and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
      union all
      select format('drop function if exists %s cascade', p.oid::regprocedure) from pg_proc p
      where p.pronamespace = 'public'::regnamespace
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
      union all
      select format('truncate %I.%I cascade', schemaname, tablename) from pg_tables
      where schemaname = '${QUEUE_SCHEMA}' and tablename <> 'migration');
    one text;
  begin
    foreach one in array drops loop
      execute one;
    end loop;
  end $$;
  truncate public.${MIGRATIONS_TABLE} restart identity;`;

/** The SQL that sets the identity sequences, so that the ids of new rows continue after the restored ids. */
const CONTINUE_IDENTITIES = `
  do $$
  declare
    identity record;
  begin
    for identity in
      select table_name as t, column_name as c from information_schema.columns
      where table_schema = 'public' and is_identity = 'YES'
    loop
      execute format(
        'select setval(pg_get_serial_sequence(%L, %L), coalesce(max(%I), 1), max(%I) is not null) from public.%I',
        'public.' || identity.t, identity.c, identity.c, identity.c, identity.t);
    end loop;
  end $$;`;
