import { sql } from 'kysely';
import type { DatasetKind } from '#lib/data/dataset-kind.ts';
import { instant } from '#lib/data/as-of.query.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';

/** The values of a feature that a run has pinned, and the materialisation that was the newest when the run was made. */
export type FeatureFacts = ValuesFacts & { run: string };

/** The values of a feature at a revision, with a materialisation that wrote them. */
export type ValuesFacts = {
  /** The uid of the version of the feature. */
  uid: string;
  feature: string;
  revision: number;
  expression: string;
  dataset: number;
  /** The kind of the dataset; null if the tenant may not read it. */
  kind: DatasetKind | null;
  materialisation: { uid: string; revision: number; startedAt: string; finishedAt: string } | null;
};

/** Returns the values of features that runs have pinned. */
export async function featuresOf(em: Em, runs: readonly string[]): Promise<FeatureFacts[]> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<FeatureFacts>`
    select r.uid as run, v.uid, f.key as feature, pinned.revision, v.expression, v.dataset_id as dataset, d.kind,
      case when m.uid is not null then jsonb_build_object('uid', m.uid, 'revision', m.dataset_revision,
        'startedAt', ${instant(sql`m.started_at`)}, 'finishedAt', ${instant(sql`m.finished_at`)}) end as materialisation
    from run_feature_reference pinned join run r on r.uid = pinned.run_uid
    join feature_version v on v.id = pinned.feature_version_id join feature f on f.uid = v.feature_uid
    left join dataset d on d.id = v.dataset_id
    left join lateral (
      select * from feature_materialisation m where m.feature_version_id = v.id and m.state = 'succeeded'
        and m.finished_at <= r.created_at order by m.uid desc limit 1
    ) m on true
    where pinned.run_uid = any(${[...runs]}::text[])
      and pinned.workspace_uid = ${workspace} and pinned.environment = ${environment}
      and v.workspace_uid = ${workspace}
    order by r.uid, v.uid
  `.execute(em.getKysely());
  return rows;
}

/**
 * Returns the values of features that materialisations of these revisions of datasets wrote, at most `limit`, each with
 * its newest materialisation of the revision. The values of a materialisation that did not record the revision of its
 * values are known from the runs that read them.
 */
export async function featuresFrom(
  em: Em,
  datasets: readonly { id: number; revision: number }[],
  limit: number,
): Promise<ValuesFacts[]> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<ValuesFacts>`
    with version as (
      select v.id, v.uid, f.key, v.expression, v.dataset_id, w.revision as wanted, d.kind
      from unnest(${datasets.map(({ id }) => id)}::int[], ${datasets.map(({ revision }) => revision)}::int[]) w (id, revision)
      join feature_version v on v.dataset_id = w.id and v.workspace_uid = ${workspace}
      join feature f on f.uid = v.feature_uid left join dataset d on d.id = v.dataset_id
    ), written as (
      select v.id, v.wanted, m.values_revision as revision, m.uid
      from version v join feature_materialisation m on m.feature_version_id = v.id and m.state = 'succeeded'
        and m.dataset_revision = v.wanted and m.values_revision is not null
      union
      select v.id, v.wanted, p.revision, m.uid
      from version v join run_feature_reference p on p.feature_version_id = v.id
        and p.workspace_uid = ${workspace} and p.environment = ${environment}
      join run r on r.uid = p.run_uid
      cross join lateral (
        select m.uid, m.dataset_revision from feature_materialisation m where m.feature_version_id = v.id
          and m.state = 'succeeded' and m.finished_at <= r.created_at order by m.uid desc limit 1
      ) m where m.dataset_revision = v.wanted
    )
    select distinct on (v.uid, w.revision) v.uid, v.key as feature, w.revision, v.expression, v.dataset_id as dataset,
      v.kind, jsonb_build_object('uid', m.uid, 'revision', m.dataset_revision,
        'startedAt', ${instant(sql`m.started_at`)}, 'finishedAt', ${instant(sql`m.finished_at`)}) as materialisation
    from written w join version v on v.id = w.id and v.wanted = w.wanted join feature_materialisation m on m.uid = w.uid
    order by v.uid, w.revision, m.uid desc limit ${limit}
  `.execute(em.getKysely());
  return rows;
}

/** Returns at most `limit` runs that have pinned these values of features, ordered by feature and run. */
export async function runsWithFeatures(
  em: Em,
  features: readonly Pick<FeatureFacts, 'uid' | 'revision'>[],
  limit: number,
): Promise<Pick<FeatureFacts, 'uid' | 'revision' | 'run'>[]> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<Pick<FeatureFacts, 'uid' | 'revision' | 'run'>>`
    select v.uid, p.revision, p.run_uid as run
    from unnest(${features.map(({ uid }) => uid)}::text[], ${features.map(({ revision }) => revision)}::int[]) w (uid, revision)
    join feature_version v on v.uid = w.uid
    join run_feature_reference p on p.feature_version_id = v.id and p.revision = w.revision
      and p.workspace_uid = ${workspace} and p.environment = ${environment}
    order by v.uid, p.revision, p.run_uid limit ${limit}
  `.execute(em.getKysely());
  return rows;
}

/** An import that recorded events of a portfolio. */
export type PortfolioImport = { portfolio: string; uid: string; kind: string; importedAt: string };

/** Returns the newest imports of the events of each portfolio, at most `limit` for each. */
export async function portfolioImports(
  em: Em,
  portfolios: readonly string[],
  limit: number,
): Promise<PortfolioImport[]> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<PortfolioImport>`
    select p.uid as portfolio, i.uid, i.kind, ${instant(sql`i.imported_at`)} as "importedAt"
    from unnest(${[...portfolios]}::text[]) p (uid) cross join lateral (
      select distinct on (i.uid) i.* from portfolio_event e join portfolio_import i on i.uid = e.import_uid
      where e.portfolio_uid = p.uid and e.workspace_uid = ${workspace} and e.environment = ${environment}
      order by i.uid desc limit ${limit}
    ) i order by p.uid, i.uid
  `.execute(em.getKysely());
  return rows;
}
