import { sql } from 'kysely';
import type { Em } from '#lib/database/orm.ts';
import type { DatasetKind } from '#lib/data/dataset.entity.ts';

export type DatasetSummary = {
  id: number;
  uid: string;
  kind: DatasetKind;
  name: string;
  /** Uid of the owning workspace; null for data that the platform offers. */
  owner: string | null;
  revision: number;
  /** Observations, corrections among them. Exposures, of a taxonomy. */
  rows: number;
  /** Days that the observations are about. Days of publication, of a taxonomy. */
  firstObservedOn: string | null;
  lastObservedOn: string | null;
  newestImport: { uid: string; fileName: string; importedAt: string } | null;
};

/** The datasets that a workspace is entitled to, by kind and name. Counts the rows of each, so it takes a while. */
export async function datasetSummaries(em: Em, workspace: string): Promise<DatasetSummary[]> {
  const { rows } = await sql<DatasetSummary>`
    select d.id, d.uid, d.kind, d.name, d.workspace_uid as owner, d.revision,
      held.rows::integer, held.first::text as "firstObservedOn", held.last::text as "lastObservedOn",
      case when newest.uid is not null then json_build_object(
        'uid', newest.uid, 'fileName', newest.file_name,
        'importedAt', to_char(newest.imported_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      ) end as "newestImport"
    from dataset d
    join dataset_entitlement e on e.dataset_id = d.id and e.workspace_uid = ${workspace}
    left join lateral (
      select uid, file_name, imported_at from dataset_import i
      where i.dataset_id = d.id order by revision desc limit 1
    ) newest on true
    cross join lateral (
      select count(*) as rows, min(observed_on) as first, max(observed_on) as last
      from price where dataset_id = d.id and d.kind = 'prices'
      having d.kind = 'prices'
      union all
      select count(*), min(observed_on), max(observed_on)
      from instrument_version where dataset_id = d.id and d.kind = 'instruments'
      having d.kind = 'instruments'
      union all
      select count(*), min(observed_on), max(observed_on)
      from company_metric where dataset_id = d.id and d.kind = 'metrics'
      having d.kind = 'metrics'
      union all
      select count(*), min(observed_on), max(observed_on)
      from numeric_row where dataset_id = d.id and d.kind = 'numeric'
        and revision = (select max(v.revision) from numeric_version v where v.dataset_id = d.id)
      having d.kind = 'numeric'
      union all
      select count(x.theme), min(v.published_at at time zone 'utc')::date, max(v.published_at at time zone 'utc')::date
      from taxonomy_version v left join taxonomy_exposure x on x.taxonomy_version_id = v.id
      where v.dataset_id = d.id and d.kind = 'taxonomy'
      having d.kind = 'taxonomy'
    ) held
    order by d.kind, d.name, d.id
  `.execute(em.getKysely());
  return rows;
}
