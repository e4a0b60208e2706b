import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import { instant, knownRows } from './as-of.query.ts';
import type { Series } from './instrument-series.query.ts';
import { ofWholeSeries } from './series-rows.query.ts';

export type LatestFundamental = {
  metric: string;
  observedOn: string;
  value: string;
  knownAt: string;
  knownAtBasis: string;
};

/** Lists the newest value of each metric since the day `from`, as known by the end of a day, ordered by metric. */
export async function latestFundamentals(
  em: Em,
  series: Series,
  { asOf, from, limit }: { asOf: string | undefined; from: string; limit: number },
): Promise<LatestFundamental[]> {
  const known = knownRows({
    table: 'fundamental',
    key: ['observed_on', 'metric'],
    columns: ['value', 'known_at_basis'],
    where: sql`${ofWholeSeries(series)} and o.observed_on >= ${from}::date`,
    asOf,
  });
  const { rows } = await sql<LatestFundamental>`
    select distinct on (r.metric) r.metric, r.observed_on::text as "observedOn", r.value::text,
      ${instant(sql`r.known_at`)} as "knownAt", r.known_at_basis as "knownAtBasis"
    from ${known} r order by r.metric, r.observed_on desc limit ${limit}
  `.execute(em.getKysely());
  return rows;
}
