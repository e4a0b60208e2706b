import { sql, type RawBuilder } from 'kysely';
import { withoutTrailing } from '#lib/core/without-trailing.ts';
import { sha256 } from '#lib/core/seal.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { meters, type Bucket, type Meter } from './meters.ts';

/** The usage of one bucket. A null value was not measured; it is never zero. */
export type UsageBucket = Bucket & {
  value: string | null;
  source: { table: string; records: number; hash: string } | null;
};

type Source = keyof typeof sources;

/** The records behind each meter: a statement with `uid`, `at` and `value`, where the value is a number or null. */
const sources = {
  run: (em: Em) => sql`
    select uid, finished_at as at, extract(epoch from finished_at - started_at)::numeric as value
    from run where finished_at is not null and started_at is not null and ${own(em)}`,
  workflow_step: (em: Em) => sql`
    select run_uid || '/' || position as uid, ended_at as at, 1::numeric as value
    from workflow_step where ended_at is not null and ${own(em)}`,
  ai_call: (em: Em) => sql`
    select uid, ended_at as at, (input_tokens + output_tokens)::numeric as value
    from ai_call where ended_at is not null and input_tokens is not null and output_tokens is not null and ${own(em)}`,
  lineage_export: (em: Em) => sql`
    select uid, created_at as at, 1::numeric as value from lineage_export where ${own(em)}`,
  dataset_import: (em: Em) => sql`
    select i.uid, i.imported_at as at, (i.rows_inserted + i.rows_corrected)::numeric as value
    from dataset_import i join dataset d on d.id = i.dataset_id where d.workspace_uid = ${tenantOf(em).workspace}`,
};

function own(em: Em): RawBuilder<boolean> {
  const { workspace, environment } = tenantOf(em);
  return sql`workspace_uid = ${workspace} and environment = ${environment}`;
}

/**
 * Returns the usage of a meter by bucket, computed from the records that it is a view of. The value of a meter with the
 * aggregation `last` is the total at the end of the bucket.
 */
export async function readUsage(em: Em, meter: Meter, buckets: readonly Bucket[]): Promise<UsageBucket[]> {
  const { source, aggregation } = meters[meter];
  if (source === null) return buckets.map((bucket) => ({ ...bucket, value: null, source: null }));
  const isTotal = (aggregation as string) === 'last';
  const { rows } = await sql<{ place: number; value: string | null; records: number; text: string | null }>`
    with record as materialized (${sources[source](em)})
    select b.place::integer as place, sum(r.value)::text as value, count(r.uid)::integer as records,
      string_agg(r.uid || ':' || r.value::text, ',' order by r.uid collate "C") as text
    from unnest(${buckets.map(({ from }) => from.toISOString())}::timestamptz[],
      ${buckets.map(({ to }) => to.toISOString())}::timestamptz[]) with ordinality b (first, last, place)
    left join record r on r.at < b.last and (${isTotal} or r.at >= b.first)
    group by b.place order by b.place
  `.execute(em.getKysely());
  return rows.map(({ place, value, records, text }) => ({
    ...buckets[place - 1]!,
    value: value === null ? '0' : plain(value),
    source: { table: source, records, hash: sha256(text ?? '') },
  }));
}

/** Removes the trailing zeros of a decimal number. */
function plain(value: string): string {
  return value.includes('.') ? withoutTrailing(withoutTrailing(value, '0'), '.') : value;
}

export type UsageRecord = { uid: string; at: string; value: string };

/** Returns the records of a meter one by one, to recount its buckets. Null for a meter that is not measured. */
export async function readUsageRecords(
  em: Em,
  meter: Meter,
  { from, to }: Bucket,
): Promise<UsageRecord[] | null> {
  const { source, aggregation } = meters[meter];
  if (source === null) return null;
  const isTotal = (aggregation as string) === 'last';
  const { rows } = await sql<UsageRecord>`
    select r.uid, to_char(r.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, r.value::text as value
    from (${sources[source as Source](em)}) r
    where r.at < ${to.toISOString()}::timestamptz and (${isTotal} or r.at >= ${from.toISOString()}::timestamptz)
    order by r.uid collate "C"
  `.execute(em.getKysely());
  return rows;
}
