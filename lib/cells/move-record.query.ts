import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';

/** Notes the manifest of the export of a move, so that an interrupted move can find out whether its import was committed. */
export async function noteManifest(em: Em, workspace: string, hash: string): Promise<void> {
  await sql`update workspace_move set manifest_hash = ${hash} where workspace_uid = ${workspace}`.execute(
    em.getKysely(),
  );
}

/** Returns the manifest that an interrupted move has noted. */
export async function notedManifest(em: Em, workspace: string): Promise<string | undefined> {
  const { rows } = await sql<{ hash: string | null }>`
    select manifest_hash as hash from workspace_move where workspace_uid = ${workspace}
  `.execute(em.getKysely());
  return rows[0]?.hash ?? undefined;
}

/** Whether the workspace of this database was imported from the export with a manifest. */
export function importedFrom(em: Em, workspace: string, hash: string): Promise<boolean> {
  return hasEntry(em, { workspace, op: 'workspace.imported', hash });
}

/** Whether the log of this database records the arrival of the workspace with a manifest. */
export function arrivedFrom(em: Em, workspace: string, hash: string): Promise<boolean> {
  return hasEntry(em, { workspace, op: 'workspace.moved', hash });
}

async function hasEntry(
  em: Em,
  { workspace, op, hash }: { workspace: string; op: string; hash: string },
): Promise<boolean> {
  const { rows } = await sql`
    select from audit_entry where workspace_uid = ${workspace} and op = ${op}
      and body::json ->> 'payload_hash' = ${hash} limit 1
  `.execute(em.getKysely());
  return rows.length > 0;
}
