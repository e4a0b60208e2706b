import type { ClientBase } from 'pg';
import { thumbprint } from '#lib/core/signing.ts';
import { CellRefused } from './refused.ts';
import type { PublicKey, SharedRow } from './manifest.ts';
import type { ForeignKey } from '#lib/database/backup/tables.ts';
import type { PlannedTable } from './plan.ts';

/**
 * The tables with rows that workspaces share, and the columns in which a row of the target must be equal. A dataset is
 * shared if another workspace or the platform owns it.
 */
export const sharedTables: Readonly<Record<string, readonly string[]>> = {
  dataset: ['id', 'uid', 'kind', 'name'],
  model_version: ['key', 'version', 'state'],
};

/** References to shared rows that no foreign key states. */
const plainReferences: readonly ForeignKey[] = [
  { from: 'run', columns: ['model_key', 'model_version'], to: 'model_version', keys: ['key', 'version'] },
];

type Sender = Pick<ClientBase, 'query'>;

/** Lists the shared rows that rows of the workspace refer to, in the transaction of an export. */
export async function readSharedRows(
  client: Sender,
  {
    tables,
    keys,
    workspace,
  }: { tables: readonly PlannedTable[]; keys: readonly ForeignKey[]; workspace: string },
): Promise<SharedRow[]> {
  const planned = new Map(tables.map((table) => [table.name, table]));
  const found = new Map<string, SharedRow>();
  for (const { from, columns, to, keys: target } of [...keys, ...plainReferences]) {
    const [referring, identity] = [planned.get(from), sharedTables[to]];
    if (!referring || !identity) continue;
    const owned = planned.get(to);
    const equal = columns.map((column, at) => `t.${column} = s.${target[at]}`).join(' and ');
    const { rows } = await client.query<SharedRow['identity']>(
      `select ${identity.map((column) => `s.${column}`).join(', ')} from public.${to} s
       where exists (select from (select * from public.${from} where ${referring.rowsOf(workspace)}) t where ${equal})
         ${owned ? `and (${owned.rowsOf(workspace)}) is not true` : ''} order by 1, 2`,
    );
    for (const row of rows) found.set(`${to} ${JSON.stringify(row)}`, { table: to, identity: row });
  }
  return [...found.values()];
}

/** Refuses an import if the database lacks a shared row, or has another row in its place. Names every such row. */
export async function refuseMissingRows(client: Sender, shared: readonly SharedRow[]): Promise<void> {
  const missing: string[] = [];
  for (const { table, identity } of shared) {
    const columns = sharedTables[table];
    if (!columns || columns.some((column) => !Object.hasOwn(identity, column)))
      throw new CellRefused('export_damaged', `${table} has no shared rows`);
    const { rowCount } = await client.query(
      `select 1 from public.${table} where ${columns.map((column, at) => `${column}::text = $${at + 1}`).join(' and ')}`,
      columns.map((column) => String(identity[column])),
    );
    if (!rowCount)
      missing.push(`${table} ${columns.map((column) => `${column}=${identity[column]}`).join(' ')}`);
  }
  if (missing.length > 0) {
    throw new CellRefused(
      'shared_row_missing',
      `the workspace refers to rows that this deployment does not have: ${missing.join('; ')}. A dataset of another ` +
        'workspace comes with that workspace, so move it first',
    );
  }
}

/**
 * Lists the public halves of the keys that signed evidence packs of the workspace. A key that is still active in its
 * own deployment counts as retired at the time of the export, because the target cannot sign with it.
 */
export async function readSigningKeys(client: Sender, workspace: string, now: Date): Promise<PublicKey[]> {
  const { rows } = await client.query<{
    keyid: string;
    public_x: string;
    valid_from: Date;
    retired_at: Date | null;
  }>(
    `select keyid, public_x, valid_from, retired_at from signing_key
     where keyid in (select keyid from evidence_pack where workspace_uid = ${workspace}) order by keyid`,
  );
  return rows.map(({ valid_from: from, retired_at: to, ...key }) => ({
    ...key,
    valid_from: from.toISOString(),
    retired_at: new Date(Math.max(Number(to ?? now), Number(from))).toISOString(),
  }));
}

/** How an import treats the signing keys of its file. */
export type KeyTrust = {
  /** The workspace of the file. The keys verify its packs only. */
  workspace: string;
  /** The ids of the keys that the operator confirms. */
  trustedKeys: readonly string[];
  now: Date;
};

/**
 * Adds the public halves that the database does not have, so that the evidence packs of the workspace stay verifiable,
 * lets known keys of other deployments verify packs of this workspace too, and extends the period of a key that signed
 * until later. Everybody verifies the packs of the workspace with these keys, and the maker of a file controls its
 * manifest, so all of this needs the operator's confirmation. A key of this deployment stays as it is. Refuses a key whose
 * id is not its thumbprint, or that would still be valid.
 */
export async function addSigningKeys(
  client: Sender,
  keys: readonly PublicKey[],
  { workspace, trustedKeys, now }: KeyTrust,
): Promise<void> {
  const untrusted: string[] = [];
  for (const { keyid, public_x, valid_from, retired_at } of keys) {
    refuseFalseKey({ keyid, public_x, valid_from, retired_at }, now);
    const { rows } = await client.query<{ isCovered: boolean }>(
      `select workspace_uids is null or retired_at >= $2 and $3 = any (workspace_uids) as "isCovered"
       from signing_key where keyid = $1 for update`,
      [keyid, retired_at, workspace],
    );
    if (rows[0]?.isCovered) continue;
    if (!trustedKeys.includes(keyid)) untrusted.push(keyid);
    else {
      await client.query(
        `insert into signing_key as k (keyid, public_x, valid_from, retired_at, workspace_uids)
         values ($1, $2, $3, $4, array[$5::text])
         on conflict (keyid) do update set retired_at = greatest(k.retired_at, excluded.retired_at),
           workspace_uids = case when $5 = any (k.workspace_uids) then k.workspace_uids
             else k.workspace_uids || $5::text end
           where k.workspace_uids is not null`,
        [keyid, public_x, valid_from, retired_at, workspace],
      );
    }
  }
  if (untrusted.length > 0) {
    throw new CellRefused(
      'signing_key_untrusted',
      'the file brings signing keys, or a longer period of known keys, with which everybody would verify packs of the ' +
        `workspace from now on; compare the ids with the old deployment and confirm each with --trust-key: ${untrusted.join(' ')}`,
    );
  }
}

/** Refuses a key whose id is not derived from it, or that is not retired. */
function refuseFalseKey(
  { keyid, public_x: x, valid_from: from, retired_at: to }: PublicKey,
  now: Date,
): void {
  const [begins, ends] = [Date.parse(from), Date.parse(to)];
  if (thumbprint(x) !== keyid || !(begins <= ends))
    throw new CellRefused('export_damaged', `the signing key ${keyid} is not valid`);
  if (ends > now.getTime()) {
    throw new CellRefused(
      'signing_key_untrusted',
      `the signing key ${keyid} is valid until ${to}, and a key of another deployment must have retired; compare the clocks`,
    );
  }
}
