import { sql } from 'kysely';
import type { Seal } from '#lib/core/seal.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';

/**
 * The sealed result of a succeeded run. The result is read outside the ORM, because it can be megabytes and never
 * changes.
 */
export type SealedResult = {
  /** The members that the seal covers. */
  members: Record<string, unknown>;
  resultHash: string;
  seal: Seal;
  /** The content stored with the run. It contains only the attachments that were requested. */
  attachments: Record<string, unknown>;
};

/**
 * Reads a result of the current tenant, with the attachments in `include`. The query filters by tenant in addition to
 * row-level security. Throws if the run has no result.
 */
export async function readResult(em: Em, uid: string, include: readonly string[]): Promise<SealedResult> {
  const { workspace, environment } = tenantOf(em);
  const attachments = include.length
    ? sql`(select json_object_agg(key, value) from json_each(attachments) where key = any(${[...include]}))`
    : sql`null::json`;
  const { rows } = await sql<Omit<SealedResult, 'attachments'> & Partial<SealedResult>>`
    select members, result_hash as "resultHash", seal, ${attachments} as attachments from run_result
    where run_uid = ${uid} and workspace_uid = ${workspace} and environment = ${environment}
  `.execute(em.getKysely());
  const [row] = rows;
  if (!row) throw new Error(`the run ${uid} has no result`);
  return { ...row, attachments: row.attachments ?? {} };
}
