import { isDeepStrictEqual } from 'node:util';
import type { ClientBase } from 'pg';
import { canonicalJson } from '#lib/core/seal.ts';
import type { Manifest, SharedRow } from './manifest.ts';
import type { ForeignKey } from '#lib/database/backup/tables.ts';
import type { PlannedTable } from './plan.ts';
import { CellRefused } from './refused.ts';
import { foreignReferences, refuseReferences } from './foreign-references.ts';
import { readSharedRows } from './shared-rows.ts';

type Sender = Pick<ClientBase, 'query'>;

type Imported = { tables: readonly PlannedTable[]; keys: readonly ForeignKey[]; workspace: string };

/**
 * Checks what the import's session does not check row by row: that every row of the file belongs to the workspace,
 * that every foreign key of its rows leads to a row of the same workspace or of the platform, and that the manifest lists
 * all shared rows.
 */
export async function refuseForeignRows(
  client: Sender,
  manifest: Manifest,
  { tables, keys, workspace }: Imported,
): Promise<void> {
  const records = new Map(manifest.tables.map((record) => [record.name, record]));
  for (const { name, rowsOf } of tables) {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::float8 as count from public.${name} where ${rowsOf(workspace)}`,
    );
    const { count } = rows[0]!;
    const stated = records.get(name)!.rows;
    if (count !== stated)
      throw new CellRefused(
        'export_damaged',
        `${name} has ${stated} rows, of which ${count} belong to the workspace`,
      );
  }
  refuseReferences(await foreignReferences(client, { tables, keys, workspace }));
  await refuseOtherSharedRows(client, manifest, { tables, keys, workspace });
}

/** Refuses a workspace whose rows refer to other shared rows than the manifest lists. */
async function refuseOtherSharedRows(
  client: Sender,
  { shared_rows: stated }: Manifest,
  imported: Imported,
): Promise<void> {
  const listed = (shared: readonly SharedRow[]) => shared.map((row) => canonicalJson(row)).sort();
  const found = listed(await readSharedRows(client, imported));
  if (!isDeepStrictEqual(found, listed(stated)))
    throw new CellRefused('export_damaged', 'the manifest does not list the shared rows of the workspace');
}

/** Refuses entries of the audit log whose searchable columns differ from their body. */
export async function refuseOtherEntries(client: Sender, workspace: string): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `select id::text from public.audit_entry where workspace_uid = ${workspace}
       and (leaf_hash, at, op, status, actor_uid, subject_type, subject_uid, request_id) is distinct from
         (audit_leaf_hash(body), audit_instant(body), audit_member(body, '{op}'), audit_member(body, '{outcome,status}'),
          audit_member(body, '{actor,uid}'), audit_member(body, '{subject,type}'), audit_member(body, '{subject,uid}'),
          audit_member(body, '{request_id}'))
     limit 1`,
  );
  if (rows[0])
    throw new CellRefused(
      'export_damaged',
      `the columns of the audit entry ${rows[0].id} differ from its body`,
    );
}
