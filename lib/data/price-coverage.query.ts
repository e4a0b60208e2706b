import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import { wasKnown } from './as-of.query.ts';
import type { Series } from './instrument-series.query.ts';
import { ofSeries } from './series-rows.query.ts';

export type PriceCoverage = { dataset: string; from: string; to: string };

/** Returns the first and last known day of a series; null if nothing was known. */
export async function priceCoverage(
  em: Em,
  series: Series,
  asOf: string | undefined,
): Promise<PriceCoverage | null> {
  const ends = await Promise.all(
    series.ranges.map(async (range) => {
      const among = sql.join([...ofSeries(series, range), wasKnown('o', asOf)], sql` and `);
      const { rows } = await sql<{ from: string | null; to: string | null }>`
        select (select o.observed_on from price o where ${among} order by o.observed_on limit 1)::text as "from",
          (select o.observed_on from price o where ${among} order by o.observed_on desc limit 1)::text as "to"
      `.execute(em.getKysely());
      return rows[0]!;
    }),
  );
  const days = ends.flatMap(({ from, to }) => (from === null || to === null ? [] : [from, to])).sort();
  return days.length === 0 ? null : { dataset: series.datasetUid, from: days[0]!, to: days.at(-1)! };
}
