import { sql } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { RESEARCH_SNAPSHOTS } from './research-snapshots.schema.ts';
import type { SnapshotResult } from './research-snapshots.schema.ts';

export type SealedSnapshot = { uid: string; result: SnapshotResult };

/** Finds the sealed snapshots of the tenant with these uids, ordered by date. */
export async function findSnapshots(em: Em, uids: readonly string[]): Promise<SealedSnapshot[]> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<SealedSnapshot>`
    select r.run_uid as uid, r.members -> 'result' as result
    from run_result r join run on run.uid = r.run_uid and run.kind = ${RESEARCH_SNAPSHOTS}
    where r.run_uid = any(${[...uids]}) and r.workspace_uid = ${workspace} and r.environment = ${environment}
    order by run.input ->> 'as_of_date', r.run_uid
  `.execute(em.getKysely());
  return rows;
}

/**
 * Returns the entities and the values of a sealed snapshot, without the details of each cell. Throws if the snapshot
 * does not exist.
 */
export async function snapshotValues(
  em: Em,
  uid: string,
): Promise<{ entities: string[]; columns: Float64Array[] }> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<{ entities: string[]; columns: (number | null)[][] }>`
    select attachments #> '{matrix,entities}' as entities, (
      select json_agg(each -> 'values' order by place)
      from json_array_elements(attachments #> '{matrix,columns}') with ordinality c (each, place)
    ) as columns
    from run_result where run_uid = ${uid} and workspace_uid = ${workspace} and environment = ${environment}
  `.execute(em.getKysely());
  const [row] = rows;
  if (!row) throw new Error(`the snapshot ${uid} has no result`);
  return { entities: row.entities, columns: row.columns.map(withNaN) };
}

/** Converts null to NaN. */
export function withNaN(values: readonly (number | null)[]): Float64Array {
  return Float64Array.from(values, (value) => value ?? NaN);
}
