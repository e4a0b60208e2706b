import { sql, type RawBuilder } from 'kysely';
import { withoutTrailing } from '#lib/core/without-trailing.ts';
import { sha256 } from '#lib/core/seal.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { isUnmeasured, meters, type Bucket, type Meter } from './meters.ts';

/**
 * The usage of one bucket. A null value was not measured, or has several currencies; it is never zero. `currency` is
 * the currency of a meter in money.
 */
export type UsageBucket = Bucket & {
  value: string | null;
  currency: string | null;
  source: { table: string; records: number; hash: string } | null;
};

/**
 * The records behind each meter: a statement with `uid`, `at`, `value` and `currency`, where `value` is a number and
 * `currency` is null for a meter that is not in money.
 */
const sources: Record<Meter, (em: Em) => RawBuilder<unknown>> = {
  'compute.run_seconds': (em) => sql`
    select uid, finished_at as at, extract(epoch from finished_at - started_at)::numeric as value, null::text as currency
    from run where finished_at is not null and started_at is not null and ${own(em)}`,
  'workflow.steps': (em) => sql`
    select run_uid || '/' || position as uid, ended_at as at, 1::numeric as value, null::text as currency
    from workflow_step where ended_at is not null and ${own(em)}`,
  'ai.tokens': (em) => sql`
    select uid, ended_at as at, (input_tokens + output_tokens)::numeric as value, null::text as currency
    from ai_call where ended_at is not null and input_tokens is not null and output_tokens is not null and ${own(em)}`,
  'ai.cost_micro': (em) => sql`
    select uid, ended_at as at, cost_micro::numeric as value, currency
    from ai_call where ended_at is not null and cost_micro is not null and ${own(em)}`,
  'exports.count': (em) => sql`
    select uid, created_at as at, 1::numeric as value, null::text as currency from lineage_export where ${own(em)}`,
  'qlm.answers': (em) => sql`
    select uid, asked_at as at, 1::numeric as value, null::text as currency from qlm_answer where ${own(em)}`,
  'data.rows_read': (em) => sql`
    select dataset_id || '/' || day as uid, day::timestamp at time zone 'utc' as at, rows::numeric as value,
      null::text as currency
    from data_use where workspace_uid = ${tenantOf(em).workspace}`,
  'storage.rows': (em) => sql`
    select i.uid, i.imported_at as at, (i.rows_inserted + i.rows_corrected)::numeric as value, null::text as currency
    from dataset_import i join dataset d on d.id = i.dataset_id where d.workspace_uid = ${tenantOf(em).workspace}`,
  'api.requests': (em) => counts(em, 'api.requests'),
  'compute.cpu_seconds': (em) => counts(em, 'compute.cpu_seconds'),
  'storage.bytes': (em) => sql`
    select ${utc(sql`measured_at`)} as uid, measured_at as at, change::numeric as value, null::text as currency
    from storage_measurement where ${own(em)}`,
};

/** Names the total of a process in an hour. */
export const countUid = sql<string>`${utc(sql`hour`)} || '/' || process`;

/**
 * The totals of processes by hour, which count at the start of their hour, and the folded totals of old days. A folded
 * total states how many totals it replaces, the hash of their list, and the end of its day.
 */
function counts(em: Em, meter: Meter): RawBuilder<unknown> {
  return sql`
    select ${countUid} as uid, hour as at, value, null::text as currency, 1 as records, null::text as hash,
      null::timestamptz as ends
    from usage_count where meter = ${meter} and ${own(em)}
    union all
    select day || '/day', day::timestamp at time zone 'utc', value, null::text, records, hash,
      (day + 1)::timestamp at time zone 'utc'
    from usage_day where meter = ${meter} and ${own(em)}`;
}

/**
 * Returns a statement for the records behind a meter, each with the number of records that it replaces, the hash of
 * their list, and the end of their period. The last two are null for a record that replaces no others.
 */
function recordsOf(em: Em, meter: Meter): RawBuilder<unknown> {
  if (meters[meter].source === 'usage_count') return sources[meter](em);
  return sql`
    select r.*, 1 as records, null::text as hash, null::timestamptz as ends from (${sources[meter](em)}) r`;
}

/** Formats an instant as a text with microseconds, in UTC. */
function utc(instant: RawBuilder<unknown>): RawBuilder<string> {
  return sql`to_char(${instant} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

/**
 * Returns the time from which a meter is measured: null if it has not been measured. Most meters are views of records
 * that were always kept, so they are measured from the epoch on.
 */
async function measuredFrom(em: Em, meter: Meter): Promise<Date | null> {
  const { source } = meters[meter];
  if (source !== 'usage_count' && source !== 'storage_measurement') return new Date(0);
  const start =
    source === 'usage_count'
      ? sql`select started_at as at from meter_start where meter = ${meter}`
      : sql`select min(measured_at) as at from storage_measurement where ${own(em)}`;
  const { rows } = await sql<{ ms: number | null }>`
    select (extract(epoch from at) * 1000)::float8 as ms from (${start}) started
  `.execute(em.getKysely());
  const ms = rows[0]?.ms ?? null;
  return ms === null ? null : new Date(ms);
}

function own(em: Em): RawBuilder<boolean> {
  const { workspace, environment } = tenantOf(em);
  return sql`workspace_uid = ${workspace} and environment = ${environment}`;
}

/** Whether the value of a meter is the total at the end of a bucket, and not the sum over the bucket. */
export function isTotal(meter: Meter): boolean {
  return (meters[meter].aggregation as string) === 'last';
}

/**
 * Returns the usage of a meter by bucket, computed from the records behind the meter. A bucket that ended before the
 * measurement of the meter began has no value. Neither has an hour of a day whose records are folded.
 */
export async function readRecorded(em: Em, meter: Meter, buckets: readonly Bucket[]): Promise<UsageBucket[]> {
  if (buckets.length === 0) return [];
  const from = await measuredFrom(em, meter);
  const { rows } = await sql<Counted>`
    with record as materialized (
      select * from (${recordsOf(em, meter)}) r where r.at < ${buckets.at(-1)?.to.toISOString()}::timestamptz
        and (${isTotal(meter)} or coalesce(r.ends > ${buckets[0]?.from.toISOString()}::timestamptz,
          r.at >= ${buckets[0]?.from.toISOString()}::timestamptz)))
    select b.place::integer as place, sum(r.value)::text as value, coalesce(sum(r.records), 0)::integer as records,
      coalesce(bool_or(r.at < b.first or r.ends > b.last), false) and ${!isTotal(meter)} as divided,
      case when count(r.uid) = 1 then min(r.hash) end as hash,
      count(distinct r.currency)::integer as currencies, min(r.currency) as currency,
      string_agg(r.uid || ':' || r.value::text, ',' order by r.uid collate "C") as text
    from unnest(${buckets.map(({ from }) => from.toISOString())}::timestamptz[],
      ${buckets.map(({ to }) => to.toISOString())}::timestamptz[]) with ordinality b (first, last, place)
    left join record r on r.at < b.last and (${isTotal(meter)} or coalesce(r.ends > b.first, r.at >= b.first))
    group by b.place order by b.place
  `.execute(em.getKysely());
  return rows.map(({ place, value, records, divided, hash, currencies, currency, text }) => {
    const bucket = buckets[place - 1]!;
    if (divided || isUnmeasured(bucket, from))
      return { ...bucket, value: null, currency: null, source: null };
    return {
      ...bucket,
      value: currencies > 1 ? null : plain(value ?? '0'),
      currency: currencies > 1 ? null : currency,
      source: { table: meters[meter].source, records, hash: hash ?? sha256(text ?? '') },
    };
  });
}

type Counted = {
  place: number;
  value: string | null;
  records: number;
  /** Whether the bucket is a part of a day whose records are folded. */
  divided: boolean;
  /** The kept hash, if the only record of the bucket replaces others. */
  hash: string | null;
  currencies: number;
  currency: string | null;
  text: string | null;
};

/** Removes the trailing zeros of a decimal number. */
export function plain(value: string): string {
  return value.includes('.') ? withoutTrailing(withoutTrailing(value, '0'), '.') : value;
}

/** A record behind a meter. A folded record states the number of records that it replaces, and the hash of their list. */
export type UsageRecord = { uid: string; at: string; value: string; records: number; hash: string | null };

/** Returns the records of a meter one by one, to recount its buckets. */
export async function readUsageRecords(em: Em, meter: Meter, { from, to }: Bucket): Promise<UsageRecord[]> {
  const { rows } = await sql<UsageRecord>`
    select r.uid, ${utc(sql`r.at`)} as at, r.value::text as value, r.records, r.hash
    from (${recordsOf(em, meter)}) r
    where r.at < ${to.toISOString()}::timestamptz
      and (${isTotal(meter)} or r.at >= ${from.toISOString()}::timestamptz)
    order by r.uid collate "C"
  `.execute(em.getKysely());
  return rows;
}
