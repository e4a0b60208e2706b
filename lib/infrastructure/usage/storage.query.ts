import { sql, type RawBuilder } from 'kysely';
import type { RowOwner } from '#lib/core/product.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';

type Declared = Readonly<Record<string, { readonly rows: RowOwner; readonly worker?: string }>>;

/** The stored bytes of an environment by table. Tables without rows are left out. */
export type StoredBytes = Readonly<Record<string, number>>;

/**
 * Measures the rows of the current tenant in every declared table that workers may read: the sum of the sizes of their
 * values as they are stored, compressed, without indexes. Rows of a workspace that belong to no environment, among them
 * the observations of its datasets, count in both environments. Values are not read if they are stored outside of their
 * rows, so large results cost no more than small ones.
 */
export async function measureBytes(em: Em, declared: Declared): Promise<StoredBytes> {
  const named = Object.entries(declared).flatMap(([name, { rows, worker }]) =>
    rows !== 'nobody' && /^select(?! \()/.test(worker ?? '') ? [name] : [],
  );
  const bytes: Record<string, number> = {};
  for (const { name, columns } of await columnsOf(em, named)) {
    const own = ownRows(em, columns);
    if (own === undefined) continue;
    const sizes = columns.map((column) => sql`coalesce(pg_column_size(${sql.ref(column)}), 0)`);
    const { rows } = await sql<{ bytes: number | null }>`
      select sum((${sql.join(sizes, sql` + `)})::bigint)::float8 as bytes from ${sql.table(name)} where ${own}
    `.execute(em.getKysely());
    if (rows[0]?.bytes) bytes[name] = rows[0].bytes;
  }
  return bytes;
}

/** Returns the condition that a row belongs to the tenant; undefined for a table without such a column. */
function ownRows(em: Em, columns: readonly string[]): RawBuilder<boolean> | undefined {
  const { workspace, environment } = tenantOf(em);
  if (columns.includes('workspace_uid'))
    return columns.includes('environment')
      ? sql`workspace_uid = ${workspace} and environment = ${environment}`
      : sql`workspace_uid = ${workspace}`;
  if (columns.includes('dataset_id'))
    return sql`dataset_id = any(array(select id from dataset where workspace_uid = ${workspace}))`;
  return undefined;
}

async function columnsOf(em: Em, names: readonly string[]): Promise<{ name: string; columns: string[] }[]> {
  const { rows } = await sql<{ name: string; columns: string[] }>`
    select table_name as name, array_agg(column_name::text order by ordinal_position) as columns
    from information_schema.columns where table_schema = 'public' and table_name = any(${[...names]}::text[])
    group by table_name order by table_name collate "C"
  `.execute(em.getKysely());
  return rows;
}

/** Whether the bytes of the tenant were already measured on the day (UTC) of an instant. */
export async function isMeasuredOn(em: Em, now: Date): Promise<boolean> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from storage_measurement
      where workspace_uid = ${workspace} and environment = ${environment}
        and measured_at >= date_trunc('day', ${now.toISOString()}::timestamptz, 'utc')) as found
  `.execute(em.getKysely());
  return rows[0]!.found;
}

/** Stores a measurement of the current tenant, with the change since the previous one. */
export async function storeMeasurement(
  em: Em,
  { tables, now }: { tables: StoredBytes; now: Date },
): Promise<void> {
  const { workspace, environment } = tenantOf(em);
  const bytes = Object.values(tables).reduce((sum, each) => sum + each, 0);
  await sql`
    insert into storage_measurement (workspace_uid, environment, measured_at, bytes, change, tables)
    select ${workspace}, ${environment}, ${now.toISOString()}::timestamptz, ${bytes}::bigint,
      ${bytes}::bigint - coalesce((
        select bytes from storage_measurement where workspace_uid = ${workspace} and environment = ${environment}
        order by measured_at desc limit 1), 0), ${JSON.stringify(tables)}::jsonb
    on conflict do nothing
  `.execute(em.getKysely());
}
