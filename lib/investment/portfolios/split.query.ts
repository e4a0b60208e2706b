import { sql } from 'kysely';
import { knownRows, wasImported } from '#lib/data/as-of.query.ts';
import { isEntitled } from '#lib/data/dataset.query.ts';
import type { Em } from '#lib/database/base.ts';
import type { SymbolsAsOf } from './close.query.ts';
import type { SplitAction } from './portfolio-event.ts';

/**
 * Returns the splits of symbols as known at the end of a day (UTC), ordered by symbol and ex date. A dataset
 * of the workspace takes precedence over a dataset of the platform, then the oldest dataset takes precedence.
 * With pinned revisions, later imports are not read.
 */
export async function splitsOf(em: Em, { symbols, asOf, revisions }: SymbolsAsOf): Promise<SplitAction[]> {
  const known = knownRows({
    table: 'corporate_action',
    key: ['dataset_id', 'symbol', 'observed_on', 'type'],
    columns: ['ratio'],
    where: sql`o.symbol = any(${[...symbols]}::text[]) and o.type = 'split' and o.observed_on <= ${asOf}::date
      and ${wasImported('o', revisions)}`,
    asOf,
  });
  const { rows } = await sql<SplitAction>`
    select distinct on (a.symbol, a.observed_on) a.symbol, a.observed_on::text as "exOn",
      trim_scale(a.ratio)::text as ratio,
      to_char(a.known_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "knownAt", false as withdrawn
    from ${known} a join dataset d on d.id = a.dataset_id and ${isEntitled(em)}
    order by a.symbol, a.observed_on, d.workspace_uid is null, d.id
  `.execute(em.getKysely());
  return rows;
}
