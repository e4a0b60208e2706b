import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import { knownRows } from '#lib/data/as-of.query.ts';
import type { EntityType, FeatureFrequency } from './kind.ts';

export type FeatureRow = {
  uid: string;
  key: string;
  entity_type: EntityType;
  description: string;
  owner_uid: string;
  status: 'active' | 'retired';
  created_at: string;
};

export type VersionRow = {
  id: number;
  uid: string;
  feature_uid: string;
  version: number;
  unit: string;
  frequency: FeatureFrequency;
  expression: string;
  max_age_days: number;
  created_by_uid: string;
  created_at: string;
  /** Uid of the dataset; null if the workspace is no longer entitled to the dataset. */
  dataset_uid: string | null;
  dataset_kind: string | null;
  dataset_name: string | null;
  dataset_revision: number | null;
};

export type ListQuestion = {
  workspace: string;
  entityType?: EntityType | undefined;
  status?: 'active' | 'retired' | undefined;
  /** A part of the key or description to search for. */
  q?: string | undefined;
  after?: string | undefined;
  limit: number;
};

/** Lists the features of a workspace, newest first. */
export async function listFeatures(em: Em, question: ListQuestion): Promise<FeatureRow[]> {
  const { workspace, entityType, status, q, after, limit } = question;
  const { rows } = await sql<FeatureRow>`
    select uid, key, entity_type, description, owner_uid, status, created_at::text from feature
    where workspace_uid = ${workspace}
      and ${entityType === undefined ? sql`true` : sql`entity_type = ${entityType}`}
      and ${status === undefined ? sql`true` : sql`status = ${status}`}
      and ${q === undefined ? sql`true` : sql`strpos(lower(key || ' ' || description), lower(${q})) > 0`}
      and ${after === undefined ? sql`true` : sql`uid < ${after}`}
    order by uid desc limit ${limit}
  `.execute(em.getKysely());
  return rows;
}

export async function findFeature(em: Em, workspace: string, key: string): Promise<FeatureRow | undefined> {
  const { rows } = await sql<FeatureRow>`
    select uid, key, entity_type, description, owner_uid, status, created_at::text from feature
    where workspace_uid = ${workspace} and key = ${key}
  `.execute(em.getKysely());
  return rows[0];
}

/** Lists the versions of features, the latest of each first. */
export async function versionsOf(em: Em, featureUids: readonly string[]): Promise<VersionRow[]> {
  const { rows } = await sql<VersionRow>`
    select v.id, v.uid, v.feature_uid, v.version, v.unit, v.frequency, v.expression, v.max_age_days,
      v.created_by_uid, v.created_at::text, d.uid as dataset_uid, d.kind as dataset_kind, d.name as dataset_name,
      d.revision as dataset_revision
    from feature_version v left join dataset d on d.id = v.dataset_id
    where v.feature_uid = any(${[...featureUids]}::text[])
    order by v.feature_uid, v.version desc
  `.execute(em.getKysely());
  return rows;
}

export type MaterialisationRow = {
  uid: string;
  mode: 'incremental' | 'full';
  state: 'running' | 'succeeded' | 'failed';
  dataset_revision: number;
  told_until: string;
  entities_total: number;
  entities_done: number;
  rows_written: number;
  problem: string | null;
  started_at: string;
  finished_at: string | null;
  values_held: number | null;
  entities_held: number | null;
  first_event: string | null;
  last_event: string | null;
};

/** Returns the newest materialisation of a version, and its newest successful materialisation. */
export async function newestMaterialisations(
  em: Em,
  versionId: number,
): Promise<{ newest: MaterialisationRow | undefined; succeeded: MaterialisationRow | undefined }> {
  const { rows } = await sql<MaterialisationRow>`
    select uid, mode, state, dataset_revision, told_until::text, entities_total, entities_done,
      rows_written::float8, problem, started_at::text, finished_at::text, values_held::float8, entities_held,
      first_event::text, last_event::text
    from feature_materialisation
    where feature_version_id = ${versionId} and state <> 'planned' and uid in (
      (select uid from feature_materialisation where feature_version_id = ${versionId} and state <> 'planned'
        order by uid desc limit 1)
      union
      (select uid from feature_materialisation where feature_version_id = ${versionId} and state = 'succeeded'
        order by uid desc limit 1)
    )
    order by uid desc
  `.execute(em.getKysely());
  return { newest: rows[0], succeeded: rows.find(({ state }) => state === 'succeeded') };
}

export type ValueQuestion = {
  versionId: number;
  asOf: string | undefined;
  entity: string | undefined;
  /** First day of events, inclusive. `to` is the last day, inclusive. */
  from: string | undefined;
  to: string | undefined;
  /** The last value of the previous page. */
  after: { entity: string; eventTime: string } | undefined;
  limit: number;
};

export type ValueRow = { entity: string; event_time: string; known_at: string; value: number };

/** Lists the values of a version as known by the end of a day, ordered by entity and event. */
export async function valuesAsOf(em: Em, question: ValueQuestion): Promise<ValueRow[]> {
  const { versionId, asOf, entity, from, to, after, limit } = question;
  const conditions = [sql`o.feature_version_id = ${versionId}`];
  if (entity !== undefined) conditions.push(sql`o.entity = ${entity}`);
  if (from !== undefined) conditions.push(sql`o.event_time >= ${from}::date::timestamp at time zone 'utc'`);
  if (to !== undefined) {
    conditions.push(sql`o.event_time < (${to}::date + 1)::timestamp at time zone 'utc'`);
  }
  if (after) {
    conditions.push(sql`(o.entity, o.event_time) > (${after.entity}, ${after.eventTime}::timestamptz)`);
  }
  const known = knownRows({
    table: 'feature_value',
    key: ['entity', 'event_time'],
    columns: ['value'],
    where: sql.join(conditions, sql` and `),
    asOf,
  });
  const { rows } = await sql<ValueRow>`
    select entity, event_time::text, known_at::text, value from ${known} known
    order by entity, event_time limit ${limit}
  `.execute(em.getKysely());
  return rows;
}
