import { sql, type RawBuilder } from 'kysely';
import type { Em, Tenant } from '#lib/database/base.ts';
import { GovernedRecord } from '../governed/governed-record.entity.ts';
import { policyKind, policyOf } from './policy-kind.ts';
import { effectivePolicies, partPolicies, type Deciding } from './shadow.ts';

/**
 * The largest number of compiled policy sets in the cache. A version never changes, so a set is identified by the uids
 * and states of its versions.
 */
const READY_MAX = 200;
const ready = new Map<string, Deciding>();

/**
 * Returns the policies of a tenant that are enforced now, from the cache or from the database. `names` are their names, if
 * the transaction has already read them.
 */
export async function policiesInForce(
  em: Em,
  tenant: Tenant,
  names?: readonly PolicyName[],
): Promise<Deciding> {
  const key = keyOf(names ?? (await readNames(em, tenant)));
  const known = ready.get(key);
  if (!known) return readInForce(em, tenant);
  ready.delete(key);
  ready.set(key, known);
  return known;
}

export type PolicyName = Pick<GovernedRecord, 'uid' | 'state'>;

/** Returns the SQL of the names of the policies in force, as one JSON array. */
export function namesInForce({ workspace, environment }: Tenant): RawBuilder<readonly PolicyName[]> {
  return sql`
    select coalesce(json_agg(json_build_object('uid', uid, 'state', state) order by uid), '[]') from governed_record
    where workspace_uid = ${workspace} and environment = ${environment} and kind = ${policyKind.kind}
      and state in ('active', 'suspended')`;
}

async function readNames(em: Em, tenant: Tenant): Promise<readonly PolicyName[]> {
  const { rows } = await sql<{ names: readonly PolicyName[] }>`
    select (${namesInForce(tenant)}) as names`.execute(em.getKysely());
  return rows[0]!.names;
}

async function readInForce(em: Em, { workspace, environment }: Tenant): Promise<Deciding> {
  const records = await em.find(
    GovernedRecord,
    {
      workspaceUid: workspace,
      environment,
      kind: policyKind.kind,
      state: { $in: ['active', 'suspended'] },
    },
    { filters: false, orderBy: { uid: 'asc' }, refresh: true },
  );
  const deciding = partPolicies(
    effectivePolicies(
      records.map((record) => ({ policy: policyOf(record), isSuspended: record.state === 'suspended' })),
    ),
  );
  ready.set(keyOf(records), deciding);
  if (ready.size > READY_MAX) ready.delete(ready.keys().next().value!);
  return deciding;
}

function keyOf(names: readonly PolicyName[]): string {
  return names.map(({ uid, state }) => `${uid} ${state}`).join();
}
