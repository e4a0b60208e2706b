import { sql } from 'kysely';
import { instantAt } from '#lib/core/date.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { floorOf } from './meters.ts';
import { countUid } from './usage-records.query.ts';

/** The days for which the counts by hour and process are kept. */
export const COUNT_DAYS = 40;
/** The largest number of days that one pass folds in an environment, over all meters. */
const FOLDED_MAX = 400;

/**
 * Replaces the counts of each old day of the current tenant by one row for each meter, with the sum of the counts, their
 * number and the hash of their list. A day whose counts differ from its stored usage keeps its counts, as evidence of
 * the difference. Returns the number of removed counts.
 */
export async function foldCounts(em: Em, now: Date): Promise<number> {
  const { workspace, environment } = tenantOf(em);
  const before = floorOf(instantAt(now.getTime() - COUNT_DAYS * 86_400_000), 'day');
  const { numAffectedRows } = await sql`
    with counted as (
      select meter, (hour at time zone 'utc')::date as day, value, ${countUid} as uid from usage_count
      where workspace_uid = ${workspace} and environment = ${environment} and hour < ${before}
    ), old as (
      select meter, day, sum(value) as value, count(*)::integer as records, encode(sha256(convert_to(
        string_agg(uid || ':' || value::text, ',' order by uid collate "C"), 'UTF8')), 'hex') as hash
      from counted group by meter, day
    ), folded as (
      insert into usage_day (workspace_uid, environment, meter, day, value, records, hash, folded_at)
      select ${workspace}, ${environment}, o.meter, o.day, o.value, o.records, o.hash, ${now}
      from old o left join usage_bucket b on b.workspace_uid = ${workspace} and b.environment = ${environment}
        and b.meter = o.meter and b.day = o.day
      where b.meter is null or (b.value, b.records, b.hash) = (o.value, o.records, o.hash)
      order by o.day, o.meter limit ${FOLDED_MAX}
      on conflict do nothing returning meter, day
    )
    delete from usage_count c using folded f
    where c.workspace_uid = ${workspace} and c.environment = ${environment} and c.meter = f.meter
      and c.hour >= f.day::timestamp at time zone 'utc' and c.hour < (f.day + 1)::timestamp at time zone 'utc'
  `.execute(em.getKysely());
  return Number(numAffectedRows ?? 0n);
}
