import { sql } from 'kysely';
import { tenantOf, type Em, type Tenant } from '#lib/database/base.ts';
import { withClosed, type AnsweredBucket, type ClosedDay } from './closed-buckets.ts';
import type { Bucket, Meter } from './meters.ts';
import { isTotal, plain, readRecorded, type UsageBucket } from './usage-records.query.ts';

/**
 * Returns the usage of a meter by bucket: the stored usage of closed days, and otherwise the usage computed from the
 * records behind the meter.
 */
export async function readUsage(em: Em, meter: Meter, buckets: readonly Bucket[]): Promise<AnsweredBucket[]> {
  const recorded = await readRecorded(em, meter, buckets);
  const [first, last] = [buckets[0], buckets.at(-1)];
  if (!first || !last) return [];
  return withClosed(recorded, await closedDays(em, meter, { from: first.from, to: last.to }), isTotal(meter));
}

/** Returns the closed days of a meter within a period, oldest first. */
export async function closedDays(em: Em, meter: Meter, { from, to }: Bucket): Promise<ClosedDay[]> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<ClosedDay>`
    select to_char(day, 'YYYY-MM-DD"T00:00:00.000Z"') as day, value::text as value, currency, records, hash
    from usage_bucket
    where workspace_uid = ${workspace} and environment = ${environment} and meter = ${meter}
      and day >= (${from.toISOString()}::timestamptz at time zone 'utc')::date
      and day < (${to.toISOString()}::timestamptz at time zone 'utc')::date
    order by day
  `.execute(em.getKysely());
  return rows.map((row) => ({ ...row, value: row.value === null ? null : plain(row.value) }));
}

/**
 * Returns every environment with an application, in all workspaces, ordered by workspace and environment. For workers.
 */
export async function usagePlaces(em: Em): Promise<Tenant[]> {
  const { rows } = await sql<Tenant>`
    select workspace_uid as workspace, environment from application_places() order by 1, 2
  `.execute(em.getKysely());
  return rows;
}

/** Stores the usage of closed days of the current tenant. A day that is already stored is not changed. */
export async function storeClosed(
  em: Em,
  meter: Meter,
  { days, now }: { days: readonly UsageBucket[]; now: Date },
): Promise<number> {
  const { workspace, environment } = tenantOf(em);
  const stored = days.flatMap(({ from, value, currency, source }) =>
    source === null
      ? []
      : [
          {
            day: from.toISOString().slice(0, 10),
            value,
            currency,
            records: source.records,
            hash: source.hash,
          },
        ],
  );
  const { numAffectedRows } = await sql`
    insert into usage_bucket (workspace_uid, environment, meter, day, value, currency, records, hash, closed_at)
    select ${workspace}, ${environment}, ${meter}, each.day, each.value, each.currency, each.records, each.hash, ${now}
    from jsonb_to_recordset(${JSON.stringify(stored)}::jsonb)
      as each (day date, value numeric, currency text, records integer, hash text)
    on conflict do nothing
  `.execute(em.getKysely());
  return Number(numAffectedRows ?? 0n);
}
