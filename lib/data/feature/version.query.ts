import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import type { EntityType, FeatureFrequency } from './kind.ts';

/** A version of a feature with the dataset from which it is computed. */
export type MaterialisableVersion = {
  id: number;
  uid: string;
  workspace: string;
  key: string;
  version: number;
  frequency: FeatureFrequency;
  expression: string;
  datasetId: number;
  datasetKind: string;
  datasetRevision: number;
};

const VERSIONS = sql`
  select v.id, v.uid, v.workspace_uid as workspace, f.key, v.version, v.frequency, v.expression,
    d.id as "datasetId", d.kind as "datasetKind", d.revision as "datasetRevision"
  from feature_version v
  join feature f on f.uid = v.feature_uid
  join dataset d on d.id = v.dataset_id
  join dataset_entitlement e on e.dataset_id = d.id and e.workspace_uid = v.workspace_uid
`;

/**
 * Returns the given or latest version of a feature; undefined if the version does not exist, or if its workspace is not
 * entitled to the dataset.
 */
export async function findMaterialisable(
  em: Em,
  wanted: { workspace: string; key: string; version?: number },
): Promise<MaterialisableVersion | undefined> {
  const { workspace, key, version } = wanted;
  const { rows } = await sql<MaterialisableVersion>`
    ${VERSIONS} where v.workspace_uid = ${workspace} and f.key = ${key}
      and ${version === undefined ? sql`true` : sql`v.version = ${version}`}
    order by v.version desc limit 1
  `.execute(em.getKysely());
  return rows[0];
}

/** Lists the workspaces with versions that are scheduled for materialisation. */
export async function workspacesWithFeatures(em: Em): Promise<string[]> {
  const { rows } = await sql<{ workspace: string }>`
    select distinct workspace_uid as workspace from feature_materialisation where state = 'planned' order by 1
  `.execute(em.getKysely());
  return rows.map(({ workspace }) => workspace);
}

/** The waiting time after a failed materialisation. */
const REST = '10 minutes';

/**
 * Lists those scheduled versions of a workspace's active features whose values may be outdated. Values may be outdated
 * if the dataset got a new revision, or a day ended, since the last materialisation.
 */
export async function dueVersions(em: Em, workspace: string, now: Date): Promise<MaterialisableVersion[]> {
  const at = now.toISOString();
  const { rows } = await sql<MaterialisableVersion>`
    ${VERSIONS}
    where v.workspace_uid = ${workspace} and f.status = 'active'
      and exists (
        select from feature_materialisation m where m.feature_version_id = v.id and m.state = 'planned'
      )
      and not exists (
        select from feature_materialisation m where m.feature_version_id = v.id and (
          m.state = 'succeeded' and m.dataset_revision >= d.revision
            and date_trunc('day', m.told_until, 'utc') >= date_trunc('day', ${at}::timestamptz, 'utc')
          or m.state = 'failed' and m.finished_at > ${at}::timestamptz - ${REST}::interval
        )
      )
    order by v.id
  `.execute(em.getKysely());
  return rows;
}

/**
 * Lists the latest versions of the named features, with their keys. If no features are named, lists the latest versions
 * of all active features.
 */
export async function latestVersions(
  em: Em,
  workspace: string,
  keys: readonly string[] | undefined,
): Promise<{ id: number; feature: string; maxAgeDays: number }[]> {
  const { rows } = await sql<{ id: number; feature: string; maxAgeDays: number }>`
    select distinct on (f.key) v.id, f.key as feature, v.max_age_days as "maxAgeDays"
    from feature f join feature_version v on v.feature_uid = f.uid
    where f.workspace_uid = ${workspace}
      and ${keys ? sql`f.key = any(${[...keys]}::text[])` : sql`f.status = 'active'`}
    order by f.key, v.version desc
  `.execute(em.getKysely());
  return rows;
}

/** The latest version of a feature. `dataset` is null if the workspace is no longer entitled to it. */
export type EntityFeature = {
  id: number;
  feature: string;
  version: number;
  unit: string;
  dataset: string | null;
};

/** Lists the latest versions of the active features for one type of entity, ordered by key. */
export async function featuresOfEntities(
  em: Em,
  { workspace, entityType, limit }: { workspace: string; entityType: EntityType; limit: number },
): Promise<EntityFeature[]> {
  const { rows } = await sql<EntityFeature>`
    select distinct on (f.key) v.id, f.key as feature, v.version, v.unit, d.uid as dataset
    from feature f join feature_version v on v.feature_uid = f.uid left join dataset d on d.id = v.dataset_id
    where f.workspace_uid = ${workspace} and f.status = 'active' and f.entity_type = ${entityType}
    order by f.key, v.version desc limit ${limit}
  `.execute(em.getKysely());
  return rows;
}
