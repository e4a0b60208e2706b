import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import type { RateValue } from './strategy-data.ts';
import type { StrategyFault } from './strategy-fault.ts';
import type { Pinned } from './strategy-universe.query.ts';

/** Returns the fault `unknown_series` with the pointer of the series if the economic series has no values. */
export async function unknownSeries(
  em: Em,
  { series, pointer }: { series: string | null; pointer: string },
  revisions: Pinned['revisions'],
): Promise<StrategyFault[]> {
  if (series === null) return [];
  const { rows } = await sql`${servingSeries(series, revisions)} select from serving`.execute(em.getKysely());
  const message = `${series} is not an economic series with values that the workspace may read`;
  return rows.length > 0 ? [] : [{ pointer, code: 'unknown_series', message }];
}

/** Returns every state of an economic series, in the order in which the states became known. */
export async function rateValues(
  em: Em,
  series: string,
  { asOf, until, revisions }: Pinned,
): Promise<RateValue[]> {
  const { rows } = await sql<RateValue>`
    ${servingSeries(series, revisions)}
    select o.observed_on::text as "observedOn", (o.known_at at time zone 'utc')::date::text as "knownOn",
      o.value::float8 as value
    from serving s join economic_observation o on o.dataset_id = s.id and o.series = ${series}
      and o.revision <= s.revision
    where not o.withdrawn and o.observed_on <= ${until}::date
      and o.known_at < (${asOf}::date + 1)::timestamp at time zone 'utc'
    order by o.known_at, o.observed_on, o.revision
  `.execute(em.getKysely());
  return rows;
}

/**
 * Returns the common table expression `serving`, which selects the dataset of a series. A dataset of the workspace
 * takes precedence.
 */
export function servingSeries(series: string, revisions: Pinned['revisions']) {
  return sql`with serving as (
    select d.id, pinned.value::int as revision
    from jsonb_each_text(${JSON.stringify(revisions)}::jsonb) pinned
    join dataset d on d.id = pinned.key::int and d.kind = 'economics'
    where exists (
      select from economic_observation o where o.dataset_id = d.id and o.series = ${series}
        and o.revision <= pinned.value::int
    )
    order by d.workspace_uid is null, d.id limit 1
  )`;
}
