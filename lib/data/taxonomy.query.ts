import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import { selectTaxonomyVersion, type ThemeExposure } from './taxonomy.ts';

export type TaxonomyVersionHead = {
  id: number;
  /** Uid of the dataset. */
  dataset: string;
  version: string;
  publishedAt: string;
  isPlatform: boolean;
};

/**
 * Lists the published versions of the taxonomies that the tenant may read, at the given revisions of their datasets.
 */
export async function publishedTaxonomyVersions(
  em: Em,
  datasetRevisions: Readonly<Record<string, number>>,
): Promise<TaxonomyVersionHead[]> {
  const { rows } = await sql<TaxonomyVersionHead>`
    select v.id, d.uid as dataset, v.version, d.workspace_uid is null as "isPlatform",
      to_char(v.published_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "publishedAt"
    from taxonomy_version v
    join dataset d on d.id = v.dataset_id
    join jsonb_each_text(${JSON.stringify(datasetRevisions)}::jsonb) pinned on d.id = pinned.key::int
    where v.status = 'published' and v.revision <= pinned.value::int
    order by v.id
  `.execute(em.getKysely());
  return rows;
}

/**
 * Returns the version of a taxonomy in force at the end of a day, at the given revisions of the datasets. A taxonomy of
 * the workspace takes precedence. Undefined if none was published by then.
 */
export async function taxonomyInForce(
  em: Em,
  asOf: string,
  datasetRevisions: Readonly<Record<string, number>>,
): Promise<TaxonomyVersionHead | undefined> {
  const versions = await publishedTaxonomyVersions(em, datasetRevisions);
  const own = versions.filter(({ isPlatform }) => !isPlatform);
  return selectTaxonomyVersion(own.length > 0 ? own : versions, asOf);
}

export async function taxonomyExposures(em: Em, taxonomyVersionId: number): Promise<ThemeExposure[]> {
  const { rows } = await sql<ThemeExposure>`
    select theme, symbol, exposure_micro as micro from taxonomy_exposure
    where taxonomy_version_id = ${taxonomyVersionId} order by theme, symbol
  `.execute(em.getKysely());
  return rows;
}

/**
 * Returns the exposures above 0 of a company to the themes of a version, ordered by theme. `symbols` are the
 * symbols of the company in order of precedence: for each theme, the first symbol with an exposure is used.
 * Uses one index lookup per theme and symbol.
 */
export async function companyExposures(
  em: Em,
  taxonomyVersionId: number,
  symbols: readonly string[],
): Promise<{ theme: string; micro: number }[]> {
  const { rows } = await sql<{ theme: string; micro: number }>`
    with recursive each (theme) as (
      (select theme from taxonomy_exposure where taxonomy_version_id = ${taxonomyVersionId} order by theme limit 1)
      union all
      select (
        select x.theme from taxonomy_exposure x
        where x.taxonomy_version_id = ${taxonomyVersionId} and x.theme > each.theme order by x.theme limit 1
      ) from each where each.theme is not null
    )
    select each.theme, held.micro from each
    cross join lateral (
      select x.exposure_micro as micro
      from unnest(${[...symbols]}::text[]) with ordinality s (symbol, place)
      join taxonomy_exposure x on x.taxonomy_version_id = ${taxonomyVersionId} and x.theme = each.theme
        and x.symbol = s.symbol
      order by s.place limit 1
    ) held
    where held.micro > 0 order by each.theme
  `.execute(em.getKysely());
  return rows;
}
