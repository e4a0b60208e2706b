import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import type { ThemeExposure } from './taxonomy.ts';

export type TaxonomyVersionHead = { id: number; version: string; publishedAt: string; isPlatform: boolean };

/**
 * Lists the published versions of the taxonomies that the tenant may read, at the given revisions of their datasets.
 */
export async function publishedTaxonomyVersions(
  em: Em,
  datasetRevisions: Readonly<Record<string, number>>,
): Promise<TaxonomyVersionHead[]> {
  const { rows } = await sql<TaxonomyVersionHead>`
    select v.id, v.version, d.workspace_uid is null as "isPlatform",
      to_char(v.published_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "publishedAt"
    from taxonomy_version v
    join dataset d on d.id = v.dataset_id
    join jsonb_each_text(${JSON.stringify(datasetRevisions)}::jsonb) pinned on d.id = pinned.key::int
    where v.status = 'published' and v.revision <= pinned.value::int
    order by v.id
  `.execute(em.getKysely());
  return rows;
}

export async function taxonomyExposures(em: Em, taxonomyVersionId: number): Promise<ThemeExposure[]> {
  const { rows } = await sql<ThemeExposure>`
    select theme, symbol, exposure_micro as micro from taxonomy_exposure
    where taxonomy_version_id = ${taxonomyVersionId} order by theme, symbol
  `.execute(em.getKysely());
  return rows;
}
