import { sql } from 'kysely';
import type { Seal } from '#lib/core/seal.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';

/** What a succeeded run sealed, past the ORM: it may be megabytes, and nothing ever changes it. */
export type SealedResult = {
  /** The members that the seal covers. */
  members: Record<string, unknown>;
  resultHash: string;
  seal: Seal;
  /** What is kept with the run; of a result that was read, those that were asked for. */
  attachments: Record<string, unknown>;
};

/**
 * Reads a result of the em's tenant, which is asked for here as well as by row-level security, with the attachments
 * that `include` names. Throws when there is none.
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
