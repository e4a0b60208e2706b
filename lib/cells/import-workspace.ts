import { CompiledQuery, sql } from 'kysely';
import { Client, type ClientBase } from 'pg';
import type { Clock } from '#lib/core/clock.ts';
import type { KeyChange } from '#lib/core/rewrap.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { checkedContents } from '#lib/database/backup/checked-contents.ts';
import { refuseWhoSeesLess } from '#lib/database/backup/row-security.ts';
import { appliedMigrations, type ForeignKey } from '#lib/database/backup/tables.ts';
import type { Em } from '#lib/database/base.ts';
import { copyInto } from '#lib/database/copy.ts';
import { MIGRATION_LOCK } from '#lib/database/migrate.ts';
import { keptNumbers } from '#lib/database/number-range.ts';
import { inPlatform, openOrm } from '#lib/database/orm.ts';
import { unnamed, type Actor } from '#lib/audit/entry.ts';
import { governWithin } from '#lib/governance/govern.ts';
import { checkExport, membersOf } from './check-export.ts';
import { refuseForeignRows, refuseOtherEntries } from './check-rows.ts';
import { changeRows } from './copy-rows.ts';
import { deleteOldCopy, refuseExisting, refuseOtherLogs } from './old-copy.ts';
import { MANIFEST, type Manifest } from './manifest.ts';
import { lockImport } from './move-lock.ts';
import { refuseStrayNumbers, type Blocks } from './number-block.ts';
import { foreignKeys, planTables, renumbered, type PlannedTable } from './plan.ts';
import { recordImport } from './record-export.command.ts';
import { CellRefused, WHOLE_ROLE } from './refused.ts';
import { reserveNumbers } from './reserve-numbers.ts';
import { rewrapped, type CellKeys } from './secrets.ts';
import { addSigningKeys, refuseMissingRows } from './shared-rows.ts';
import { verifyLogs, verifySeals } from './verify-copy.query.ts';

export type ImportOptions = {
  /** The secret that the export printed. */
  secret: Buffer;
  /** The keys of this deployment, which encrypt the secrets from now on. */
  keys: CellKeys;
  /** The ids of the signing keys of the file that this deployment may add to its own. */
  trustedKeys: readonly string[];
  /** Returns the person who lets a workspace return, which replaces its old copy. Throws if nobody may. */
  proveReturn(workspace: string): Promise<Actor>;
  clock: Clock;
  /** Whether nothing is committed, apart from gaps in the numbers. The default is false. */
  isRehearsal?: boolean;
};

export type Imported = { manifest: Manifest; seals: number };

/**
 * Brings an exported workspace into a database, in one transaction: whole or not at all. The service can run. Refuses a
 * damaged file, another schema, a workspace that exists, and numbers or keys that are taken. A workspace that was moved
 * away from this database and returns replaces its old copy, and must continue its logs. Verifies both logs from
 * the first leaf and up to 1,000 seals before the commit. The role of the URL must see all rows despite row-level
 * security, and must be allowed to set `session_replication_role`: the triggers of the tables check and record changes,
 * but an import changes nothing.
 */
export async function importWorkspace(url: string, file: string, options: ImportOptions): Promise<Imported> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {}); // the interrupted query fails with the error
  const orm = openOrm(url, 1);
  try {
    await client.connect();
    await refuseWhoSeesLess(client, WHOLE_ROLE);
    await client.query('select pg_advisory_lock_shared($1)', [MIGRATION_LOCK]);
    const schemaVersion = (await appliedMigrations(client)).at(-1) ?? 'no schema';
    const manifest = await checkExport(file, { schemaVersion, secret: options.secret });
    const [tables, keys] = [await planTables(client), await foreignKeys(client)];
    refuseOtherTables(manifest, tables);
    const isReturning = await refuseExisting(client, manifest.workspace.uid);
    const actor = isReturning ? await options.proveReturn(manifest.workspace.uid) : unnamed;
    await refuseMissingRows(client, manifest.shared_rows);
    await refuseTriggers(client);
    const blocks = await reserveNumbers(url, tables, { manifest, isReturning });
    let seals = 0;
    await inPlatform(orm, async (em) => {
      seals = await load(em, { file, manifest, tables, keys, blocks, actor }, options);
      if (options.isRehearsal) throw new Rehearsed();
    }).catch((error: unknown) => {
      if (!(error instanceof Rehearsed)) throw error;
    });
    return { manifest, seals };
  } finally {
    await client.end();
    await orm.close();
  }
}

/** Ends the transaction of a rehearsal without a commit. */
class Rehearsed extends Error {}

type Load = {
  file: string;
  manifest: Manifest;
  tables: readonly PlannedTable[];
  keys: readonly ForeignKey[];
  blocks: Blocks;
  actor: Actor;
};

async function load(
  em: Em,
  { file, manifest, tables, keys, blocks, actor }: Load,
  options: ImportOptions,
): Promise<number> {
  const { uid } = manifest.workspace;
  const sender = senderOf(em);
  await lockImport(sender, uid);
  const isReturning = await refuseExisting(sender, uid);
  // Triggers and checks of foreign keys do not run. `refuseForeignRows` checks the foreign keys below.
  await sql`set local session_replication_role = replica`.execute(em.getKysely());
  const workspace = `'${uid}'`;
  const ended = isReturning ? await deleteOldCopy(sender, { tables, uid }) : [];
  await addSigningKeys(sender, manifest.signing_keys, {
    workspace: uid,
    trustedKeys: options.trustedKeys,
    now: options.clock.now(),
  });
  const members = membersOf(file);
  for (const record of manifest.tables) {
    const table = tables.find(({ name }) => name === record.name)!;
    const change = changeOf(table, { tables, keys, blocks }, options);
    const rows = checkedContents(record.members, members, refuseChange);
    const copied = await copyInto(
      em,
      `public.${record.name} (${record.columns.join(', ')})`,
      change ? changeRows(rows, record.columns, change) : rows,
    ).catch((error: DatabaseFault) => refuseTaken(record.name, error));
    if (copied !== record.rows)
      throw new CellRefused('export_damaged', `${record.name} has ${copied} rows, not ${record.rows}`);
  }
  if ((await members.next()).value?.name !== MANIFEST) refuseChange(file);
  await members.return(undefined);
  await sql`set local session_replication_role = origin`.execute(em.getKysely());
  await refuseForeignRows(sender, manifest, { tables, keys, workspace });
  await refuseStrayNumbers(sender, manifest, { tables, blocks, workspace });
  await refuseOtherEntries(sender, workspace);
  await refuseOtherLogs(sender, ended, workspace);
  await verifyLogs(em, manifest);
  const seals = await verifySeals(em, uid);
  await governWithin(
    em,
    recordImport,
    { workspace: uid, manifestHash: canonicalHash(manifest) },
    { actor, place: { workspace: uid }, clock: options.clock },
  );
  return seals;
}

/** Returns the change of each row of a table: new numbers, and secrets under the keys of this deployment. */
function changeOf(
  table: PlannedTable,
  { tables, keys, blocks }: Pick<Load, 'tables' | 'keys' | 'blocks'>,
  options: ImportOptions,
): ((fields: Map<string, string>) => void) | undefined {
  const numbers = renumbered(table, tables, keys).flatMap(({ column, of }) =>
    blocks.has(of) ? [{ column, shift: blocks.get(of)!.shift }] : [],
  );
  const rewrap = rewrapped(table.name, (kind): KeyChange => ({
    from: options.secret,
    to: options.keys[kind],
  }));
  if (numbers.length === 0 && !rewrap) return undefined;
  return (fields) => {
    for (const { column, shift } of numbers) {
      const number = fields.get(column)!;
      if (!/^\d{1,19}$/.test(number))
        throw new CellRefused('export_damaged', `${table.name} has a row with the ${column} ${number}`);
      fields.set(column, String(BigInt(number) + shift));
    }
    rewrap?.(fields);
  };
}

function refuseChange(name: string): never {
  throw new CellRefused('export_damaged', `${name} changed while it was read`);
}

function refuseOtherTables({ tables }: Manifest, planned: readonly PlannedTable[]): void {
  const describe = ({ name, columns }: { name: string; columns: readonly string[] }) =>
    `${name}(${columns.join()})`;
  if (tables.map(describe).sort().join() !== planned.map(describe).sort().join())
    throw new CellRefused(
      'schema_differs',
      'the tables of the export differ from the tables of this database',
    );
}

async function refuseTriggers(client: Client): Promise<void> {
  const { rows } = await client.query<{ may: boolean }>(
    `select has_parameter_privilege('session_replication_role', 'set') as may`,
  );
  if (rows[0]!.may) return;
  throw new CellRefused(
    'replication_role',
    'the user of DATABASE_URL cannot set session_replication_role; use a superuser, or let a superuser ' +
      'grant set on parameter session_replication_role',
  );
}

const UNIQUE_VIOLATION = '23505';

type DatabaseFault = Error & { code?: string; constraint?: string; detail?: string };

/** Refuses a row whose number, key or name another row of the database already has. */
function refuseTaken(table: string, error: DatabaseFault): never {
  if (error.code !== UNIQUE_VIOLATION) throw error;
  const advice =
    keptNumbers.has(table) && error.constraint === `${table}_pkey`
      ? ' Cells with a CELL_NUMBER of their own assign separate numbers.'
      : '';
  throw new CellRefused('id_taken', `${error.constraint}: ${error.detail ?? error.message}${advice}`, {
    cause: error,
  });
}

function senderOf(em: Em): Pick<ClientBase, 'query'> {
  return {
    query: (text: string, values: unknown[] = []) =>
      em.getKysely().executeQuery(CompiledQuery.raw(text, values)),
  } as Pick<ClientBase, 'query'>;
}
