import { sql } from 'kysely';
import type { DatasetKind } from '#lib/data/dataset-kind.ts';
import { instant } from '#lib/data/as-of.query.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';

/** The values of a feature that a run has pinned, and the materialisation that was the newest when the run was made. */
export type FeatureFacts = {
  run: string;
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
    select r.uid as run, v.uid, f.key as feature, pinned.value::int as revision, v.expression, v.dataset_id as dataset, d.kind,
      case when m.uid is not null then jsonb_build_object('uid', m.uid, 'revision', m.dataset_revision,
        'startedAt', ${instant(sql`m.started_at`)}, 'finishedAt', ${instant(sql`m.finished_at`)}) end as materialisation
    from run r cross join jsonb_each_text(r.dataset_revisions) pinned
    join feature_version v on 'feature_version:' || v.id = pinned.key join feature f on f.uid = v.feature_uid
    left join dataset d on d.id = v.dataset_id
    left join lateral (
      select * from feature_materialisation m where m.feature_version_id = v.id and m.state = 'succeeded'
        and m.finished_at <= r.created_at order by m.uid desc limit 1
    ) m on true
    where r.uid = any(${[...runs]}::text[]) and r.workspace_uid = ${workspace} and r.environment = ${environment}
      and v.workspace_uid = ${workspace}
    order by r.uid, v.uid
  `.execute(em.getKysely());
  return rows;
}

/** Returns the ids of those of the given datasets that features read. */
export async function datasetsWithFeatures(em: Em, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct dataset_id as id from feature_version
    where dataset_id = any(${[...ids]}::int[]) and workspace_uid = ${tenantOf(em).workspace}
  `.execute(em.getKysely());
  return rows.map(({ id }) => id);
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
