import { sql } from 'kysely';
import { knownRows, wasKnown } from '#lib/data/as-of.query.ts';
import type { Em } from '#lib/database/base.ts';

export type PinnedVersion = { id: number; revision: number };

/**
 * Lists the entities with a known value in at least one of the versions, in code point order. The value must describe a
 * day up to the as-of day, and must have been known by the end of that day. The query steps from entity to entity
 * through the index.
 */
export async function observedEntities(
  em: Em,
  versions: readonly PinnedVersion[],
  asOf: string,
): Promise<string[]> {
  const { rows } = await sql<{ entity: string }>`
    with recursive pinned as (
      select * from unnest(${versions.map(({ id }) => id)}::int[], ${versions.map(({ revision }) => revision)}::int[])
        p (id, revision)
    ),
    step as (
      select p.id, p.revision, (select min(o.entity) from feature_value o where o.feature_version_id = p.id) as entity
      from pinned p
      union all
      select s.id, s.revision, (
        select min(o.entity) from feature_value o where o.feature_version_id = s.id and o.entity > s.entity
      )
      from step s where s.entity is not null
    )
    select distinct s.entity collate "C" as entity from step s
    cross join lateral (
      select from feature_value o
      where o.feature_version_id = s.id and o.entity = s.entity and o.revision <= s.revision
        and o.event_time < (${asOf}::date + 1)::timestamp at time zone 'utc' and ${wasKnown('o', asOf)}
      limit 1 -- one index lookup per entity, never a scan of all values
    ) known
    order by 1
  `.execute(em.getKysely());
  return rows.map(({ entity }) => entity);
}

/**
 * Lists the instruments of a sector, as known at the end of the as-of day, in code point order. If several datasets
 * contain a symbol, a dataset of the workspace takes precedence over a dataset of the platform, then the oldest dataset
 * takes precedence.
 */
export async function sectorMembers(
  em: Em,
  question: { sector: string; asOf: string; datasetRevisions: Readonly<Record<string, number>> },
): Promise<string[]> {
  const { sector, asOf, datasetRevisions } = question;
  const known = knownRows({
    table: 'instrument_version',
    key: ['symbol', 'observed_on'],
    columns: ['sector'],
    where: sql`o.dataset_id = readable.id and o.revision <= readable.revision and o.observed_on <= ${asOf}::date`,
    asOf,
  });
  const { rows } = await sql<{ symbol: string }>`
    with readable as (
      select d.id, d.workspace_uid is null as is_platform, pinned.value::int as revision
      from jsonb_each_text(${JSON.stringify(datasetRevisions)}::jsonb) pinned
      join dataset d on d.id = pinned.key::int and d.kind = 'instruments'
    ),
    latest as (
      select distinct on (known.symbol) known.symbol, known.sector
      from readable cross join lateral ${known} known
      order by known.symbol, readable.is_platform, readable.id, known.observed_on desc
    )
    select symbol from latest where sector = ${sector} order by symbol collate "C"
  `.execute(em.getKysely());
  return rows.map(({ symbol }) => symbol);
}
