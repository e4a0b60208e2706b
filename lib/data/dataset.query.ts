import { sql, type RawBuilder } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { instant } from './as-of.query.ts';
import type { DatasetKind, PriceBasis } from './dataset.entity.ts';
import { answerUse, useRefused } from './rights/ask-rights.query.ts';

/**
 * Returns an SQL condition that is true if the tenant of `em` is entitled to the dataset `d`. Operators see all
 * datasets, so a statement that also runs on the command line needs this condition.
 */
export function isEntitled(em: Em): RawBuilder<boolean> {
  return sql`exists (
    select from dataset_entitlement e where e.dataset_id = d.id and e.workspace_uid = ${tenantOf(em).workspace})`;
}

/**
 * Returns the current revision of each dataset from which the tenant may derive data, by dataset id. A run that
 * stores these revisions can always read the same data again. Throws the problem `entitlement_missing` if the tenant
 * has datasets but may derive from none of them.
 */
export async function currentRevisions(em: Em): Promise<Record<string, number>> {
  const { rows: all } = await sql<{
    id: number;
    revision: number;
    now: string;
  }>`select d.id, d.revision, ${instant(sql`now()`)} as now from dataset d where ${isEntitled(em)} order by d.id`.execute(
    em.getKysely(),
  );
  if (all.length === 0) return {};
  const asked = { action: 'derive', rows: 'all', now: new Date(all[0]!.now) } as const;
  const { denied } = await answerUse(em, asked);
  const rows = all.filter(({ id }) => !denied.some((each) => each.id === id));
  if (rows.length === 0)
    throw useRefused(
      'derive',
      denied.find(({ id }) => id === all[0]!.id)!,
    );
  return Object.fromEntries(rows.map((row) => [row.id, row.revision]));
}

/** Returns the kinds of the datasets that the tenant of `em` is entitled to. */
export async function readableKinds(em: Em): Promise<Set<DatasetKind>> {
  const { rows } = await sql<{
    kind: DatasetKind;
  }>`select distinct d.kind from dataset d where ${isEntitled(em)}`.execute(em.getKysely());
  return new Set(rows.map(({ kind }) => kind));
}

/** SQL that joins the newest import of the dataset `d`, under the alias `newest`. */
export const newestImport = sql`left join lateral (
  select uid, file_name, imported_at from dataset_import i where i.dataset_id = d.id order by revision desc limit 1
) newest on true`;

/**
 * SQL that joins the first and the last day covered by the dataset `d`, under the alias `covered`. A taxonomy covers
 * the days on which its versions were published.
 */
export const coverage = sql`left join lateral (
  select d.first_observed_on as first, d.last_observed_on as last where d.kind <> 'taxonomy'
  union all
  select min(v.published_at at time zone 'utc')::date, max(v.published_at at time zone 'utc')::date
  from taxonomy_version v where v.dataset_id = d.id having d.kind = 'taxonomy'
) covered on true`;

export type DatasetState = {
  id: number;
  uid: string;
  kind: DatasetKind;
  name: string;
  workspace: string | null;
  description: string | null;
  licence: string | null;
  source: string | null;
  priceBasis: PriceBasis | null;
  revision: number;
  rows: number;
  from: string | null;
  to: string | null;
  contentHash: string | null;
  importedAt: string | null;
  entitledSince: string;
};

export type DatasetQuestion = { kind?: DatasetKind | undefined; after: string | undefined; limit: number };

/** Lists the datasets that the tenant of `em` is entitled to, newest first. Row counts are stored, not computed. */
export async function listDatasets(em: Em, { kind, after, limit }: DatasetQuestion): Promise<DatasetState[]> {
  const { rows } = await sql<DatasetState>`
    select d.id, d.uid, d.kind, d.name, d.workspace_uid as workspace, d.description, d.licence, d.source,
      d.price_basis as "priceBasis", d.revision, d.rows_held::float8 as rows, covered.first::text as "from",
      covered.last::text as "to", d.content_hash as "contentHash", ${instant(sql`newest.imported_at`)} as "importedAt",
      ${instant(sql`e.granted_at`)} as "entitledSince"
    from dataset d
    join dataset_entitlement e on e.dataset_id = d.id
    ${newestImport} ${coverage}
    where (${kind ?? null}::text is null or d.kind = ${kind ?? null}) and (${after ?? null}::text is null or d.uid < ${after ?? null})
    order by d.uid desc limit ${limit}
  `.execute(em.getKysely());
  return rows;
}
