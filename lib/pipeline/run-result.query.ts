import { sql, type RawBuilder } from 'kysely';
import type { Seal } from '#lib/core/seal.ts';
import { tenantOf, type Em, type StatementEm } from '#lib/database/base.ts';
import { isOwnRun, ownColumns, recordOf, type RowOf, type WholeRun } from './run-record.query.ts';

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
  const { rows } = await sql<Omit<SealedResult, 'attachments'> & Partial<SealedResult>>`
    select members, result_hash as "resultHash", seal, ${attachmentsOf(include)} as attachments from run_result
    where run_uid = ${uid} and workspace_uid = ${workspace} and environment = ${environment}
  `.execute(em.getKysely());
  const [row] = rows;
  if (!row) throw new Error(`the run ${uid} has no result`);
  return { ...row, attachments: row.attachments ?? {} };
}

/**
 * Returns a run of the current tenant and, if it succeeded, its result with the attachments in `include`. The query
 * filters by tenant in addition to row-level security.
 */
export async function findWithResult(
  em: StatementEm,
  uid: string,
  include: readonly string[],
): Promise<{ run: WholeRun; result: SealedResult | null } | undefined> {
  const { rows } = await sql<RowOf<WholeRun> & Omit<SealedResult, 'attachments'> & Partial<SealedResult>>`
    select ${sql.raw(ownColumns)}, input, dataset_revisions as "datasetRevisions", result.members, result.seal,
      result.attachments, result.result_hash as "resultHash"
    from run left join lateral (
      select members, seal, result_hash, ${attachmentsOf(include)} as attachments from run_result
      where run_uid = run.uid and run.state = 'succeeded'
    ) result on true
    where ${isOwnRun(em, uid)}
  `.execute(em.getKysely());
  const [row] = rows;
  if (!row) return undefined;
  const { members, seal, attachments, ...found } = row;
  const run = recordOf<WholeRun>(found);
  if (run.state !== 'succeeded') return { run, result: null };
  if (run.resultHash === null) throw new Error(`the run ${uid} has no result`);
  return { run, result: { members, seal, resultHash: run.resultHash, attachments: attachments ?? {} } };
}

/** Returns the condition of results with a hash. `column` is the column of the hash, of which an index has a short form. */
export function hasResultHash(column: `${string}.result_hash`, hash: string): RawBuilder<boolean> {
  const stated = sql.ref(column);
  return sql<boolean>`(hashtextextended(${stated}, 0) = hashtextextended(${hash}, 0) and ${stated} = ${hash})`;
}

function attachmentsOf(include: readonly string[]): RawBuilder<unknown> {
  return include.length
    ? sql`(select json_object_agg(key, value) from json_each(attachments) where key = any(${[...include]}))`
    : sql`null::json`;
}
