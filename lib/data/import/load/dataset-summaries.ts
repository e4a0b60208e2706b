import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import { instant } from '#lib/data/as-of.query.ts';
import { coverage, newestImport } from '#lib/data/dataset.query.ts';
import type { DatasetKind } from '#lib/data/dataset.entity.ts';

export type DatasetSummary = {
  id: number;
  uid: string;
  kind: DatasetKind;
  name: string;
  /** Uid of the owning workspace; null for a dataset of the platform. */
  owner: string | null;
  revision: number;
  /** The number of observations, including corrections. For a taxonomy, the number of exposures. */
  rows: number;
  /**
   * The first observed day; for a taxonomy, the first day of publication. `lastObservedOn` is the last such
   * day.
   */
  firstObservedOn: string | null;
  lastObservedOn: string | null;
  newestImport: { uid: string; fileName: string; importedAt: string } | null;
};

/** Lists the datasets that a workspace is entitled to, ordered by kind and name. */
export async function datasetSummaries(em: Em, workspace: string): Promise<DatasetSummary[]> {
  const { rows } = await sql<DatasetSummary>`
    select d.id, d.uid, d.kind, d.name, d.workspace_uid as owner, d.revision, d.rows_held::float8 as rows,
      covered.first::text as "firstObservedOn", covered.last::text as "lastObservedOn",
      case when newest.uid is not null then json_build_object(
        'uid', newest.uid, 'fileName', newest.file_name,
        'importedAt', ${instant(sql.ref('newest.imported_at'))}
      ) end as "newestImport"
    from dataset d
    join dataset_entitlement e on e.dataset_id = d.id and e.workspace_uid = ${workspace}
    ${newestImport} ${coverage}
    order by d.kind, d.name, d.id
  `.execute(em.getKysely());
  return rows;
}
