import { sql } from 'kysely';
import { readRows, type Em, type Tenant } from '#lib/database/base.ts';
import { GovernedRecord } from './governed-record.entity.ts';
import type { GovernedKind } from './kind.ts';

/** The records to read: all records of some kinds, and single records by kind and key. */
export type WantedRecords = {
  kinds: readonly GovernedKind[];
  keys: readonly { kind: GovernedKind; key: string }[];
};

type Held = { tenant: Tenant; names: ReadonlySet<string>; records: readonly GovernedRecord[] };

const held = new WeakMap<Em, Held>();

/**
 * Reads the active and suspended versions of several kinds in one statement. While `work` runs, `inForce` and
 * `inForceOrSuspended` return these versions and do not read them again. `work` must not change governed records.
 */
export async function withRecords<T>(
  em: Em,
  tenant: Tenant,
  { kinds, keys }: WantedRecords,
  work: () => Promise<T>,
): Promise<T> {
  const records = await readRows(
    em,
    GovernedRecord,
    sql`
    select * from governed_record
    where workspace_uid = ${tenant.workspace} and environment = ${tenant.environment}
      and state in ('active', 'suspended') and (kind = any(${kinds.map(({ kind }) => kind)}) or (kind, key) in (
        select * from unnest(${keys.map(({ kind }) => kind.kind)}::text[], ${keys.map(({ key }) => key)}::text[])))
    order by key`,
  );
  const names = [...kinds.map(({ kind }) => kind), ...keys.map(({ kind, key }) => nameOf(kind.kind, key))];
  const before = held.get(em);
  held.set(em, { tenant, names: new Set(names), records });
  try {
    return await work();
  } finally {
    if (before) held.set(em, before);
    else held.delete(em);
  }
}

/**
 * Returns the active and suspended versions of a kind, ordered by key, if `withRecords` has read them for this
 * transaction; otherwise undefined.
 */
export function recordsAtHand(
  em: Em,
  { workspace, environment }: Tenant,
  kind: string,
  key: string | undefined,
): GovernedRecord[] | undefined {
  const known = held.get(em);
  if (known?.tenant.workspace !== workspace || known.tenant.environment !== environment) return undefined;
  const isRead = known.names.has(kind) || (key !== undefined && known.names.has(nameOf(kind, key)));
  if (!isRead) return undefined;
  return known.records.filter((each) => each.kind === kind && (key === undefined || each.key === key));
}

/** Returns records of any kind and state by uid. A uid without a record is left out. */
export async function recordsByUid(em: Em, uids: readonly string[]): Promise<Map<string, GovernedRecord>> {
  const records = await readRows(
    em,
    GovernedRecord,
    sql`select * from governed_record where uid = any(${[...uids]})`,
  );
  return new Map(records.map((record) => [record.uid, record]));
}

function nameOf(kind: string, key: string): string {
  return `${kind} ${key}`;
}
