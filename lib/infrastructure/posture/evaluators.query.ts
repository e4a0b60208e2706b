import { sql } from 'kysely';
import type { RowOwner } from '#lib/core/product.ts';
import { tenantOf, type Em, type Tenant } from '#lib/database/base.ts';
import type { Finding } from './controls.ts';

type Declared = Readonly<
  Record<string, { readonly rows: RowOwner; readonly api?: string; readonly worker?: string }>
>;

const PACK_DAYS = 40;
const KEY_DAYS = 400;
const SKEW_MS = 2_000;

/**
 * Tries to read rows of other workspaces as the tenant of `em`, table by table with plain statements, and checks that
 * row-level security is forced on every table that belongs to tenants. Only tables that workers may read are tried. A
 * table is left out if its policy shows workers all workspaces, because dispatching needs such a policy.
 */
export async function evaluateIsolation(em: Em, declared: Declared): Promise<Finding> {
  const { workspace } = tenantOf(em);
  const tenants = Object.entries(declared).filter(([, { rows }]) => rows !== 'nobody');
  const { rows: forced } = await sql<{
    name: string;
    isForced: boolean;
    policies: string;
    hasRows: boolean;
  }>`
    select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as "isForced",
      pg_relation_size(c.oid) > 0 as "hasRows",
      coalesce((select string_agg(pg_get_expr(p.polqual, p.polrelid), ' ') from pg_policy p
        where p.polrelid = c.oid and p.polpermissive), '') as policies
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relname = any(${tenants.map(([name]) => name)}::text[])
  `.execute(em.getKysely());
  const byName = new Map(forced.map((each) => [each.name, each]));
  const unforced = tenants.map(([name]) => name).filter((name) => byName.get(name)?.isForced !== true);
  const { rows: columns } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'workspace_uid' and table_name = any(${tenants.map(([name]) => name)}::text[])
  `.execute(em.getKysely());
  const placed = new Set(columns.map(({ name }) => name));
  const leaks: Record<string, number> = {};
  let [tried, filled] = [0, 0];
  for (const [name, { worker }] of tenants) {
    const isTried = worker?.startsWith('select') === true && placed.has(name) && name !== 'dataset';
    if (!isTried || byName.get(name)?.policies.includes('app_is_worker()') === true) continue;
    tried += 1;
    if (byName.get(name)?.hasRows === true) filled += 1;
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from (
        select from ${sql.table(name)} where workspace_uid is not null and workspace_uid <> ${workspace} limit 10) foreign_rows
    `.execute(em.getKysely());
    if (rows[0]!.count > 0) leaks[name] = rows[0]!.count;
  }
  // An attempt to read rows of other workspaces proves nothing if no table has rows.
  if (filled === 0 && unforced.length === 0)
    return { status: 'not_evaluated', detailCode: 'nothing_to_read' };
  const isWalled = unforced.length === 0 && Object.keys(leaks).length === 0;
  return {
    status: isWalled ? 'pass' : 'fail',
    detailCode: isWalled
      ? 'no_foreign_rows'
      : unforced.length > 0
        ? 'row_security_not_forced'
        : 'foreign_rows_read',
    evidence: { tables: tenants.length, tried, with_rows: filled, unforced, leaks },
  };
}

/** Compares the table privileges of the API role with the declared privileges. */
export async function evaluateGrants(em: Em, declared: Declared): Promise<Finding> {
  const { rows } = await sql<{ name: string; privileges: string }>`
    select t.name, array_to_string(array(
      select p from unnest(array['SELECT', 'INSERT', 'DELETE', 'TRUNCATE']) p
      where has_table_privilege(current_database() || '_api', t.name, p)), ',') as privileges
    from unnest(${Object.keys(declared)}::text[]) t (name)
  `.execute(em.getKysely());
  const different = rows.filter(({ name, privileges }) => {
    // Privileges on single columns are not privileges on the table.
    const stated = (declared[name]!.api ?? '').toUpperCase();
    const wanted = ['SELECT', 'INSERT', 'DELETE', 'TRUNCATE'].filter((each) =>
      new RegExp(`\\b${each}\\b(?! \\()`).test(stated),
    );
    return wanted.join(',') !== privileges;
  });
  return {
    status: different.length === 0 ? 'pass' : 'fail',
    detailCode: different.length === 0 ? 'as_declared' : 'privileges_differ',
    evidence: { tables: rows.length, different: different.map(({ name }) => name) },
  };
}

/**
 * Evaluates the age of the pack that was created at `newest`. The caller passes the oldest among the newest packs of
 * the tenants.
 */
export function packFinding(newest: Date | null, now: Date): Finding {
  if (newest === null) return { status: 'not_evaluated', detailCode: 'no_pack' };
  const days = Math.floor((now.getTime() - newest.getTime()) / 86_400_000);
  return {
    status: days <= PACK_DAYS ? 'pass' : 'fail',
    detailCode: days <= PACK_DAYS ? 'fresh' : 'old',
    evidence: { newest: newest.toISOString(), days },
  };
}

/** Evaluates the age of the active signing key. */
export async function evaluateSigningKey(em: Em, now: Date): Promise<Finding> {
  const { rows } = await sql<{ keyid: string; ms: number }>`
    select keyid, (extract(epoch from valid_from) * 1000)::float8 as ms from signing_key where retired_at is null
  `.execute(em.getKysely());
  const key = rows[0];
  if (!key) return { status: 'not_evaluated', detailCode: 'no_signing_key' };
  const days = Math.floor((now.getTime() - key.ms) / 86_400_000);
  return {
    status: days <= KEY_DAYS ? 'pass' : 'fail',
    detailCode: days <= KEY_DAYS ? 'young' : 'old',
    evidence: { keyid: key.keyid, days },
  };
}

/** Compares the clock of the process with the clock of the database. */
export async function evaluateClock(em: Em, clock: () => Date): Promise<Finding> {
  const before = clock().getTime();
  const { rows } = await sql<{
    ms: number;
  }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(em.getKysely());
  const after = clock().getTime();
  const skewMs = Math.max(0, before - rows[0]!.ms, rows[0]!.ms - after);
  const isClose = skewMs <= SKEW_MS;
  return {
    status: isClose ? 'pass' : 'fail',
    detailCode: isClose ? 'clocks_agree' : 'clocks_differ',
    evidence: { within_ms: SKEW_MS, exceeds: !isClose },
  };
}

/**
 * Returns at most `limit` environments that workers can find, newest workspaces first: environments with requests that
 * have an idempotency key, with lineage exports, or with order batches. Workers cannot list workspaces, so environments
 * without such records are missing.
 */
export async function knownTenants(em: Em, limit: number): Promise<Tenant[]> {
  const { rows } = await sql<Tenant>`
    select workspace_uid as workspace, environment from idempotency_key
    union select workspace_uid, environment from lineage_export
    union select workspace_uid, environment from order_batch
    order by 1 desc, 2 limit ${limit}
  `.execute(em.getKysely());
  return rows;
}
