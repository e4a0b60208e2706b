import { sql } from 'kysely';
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

/** Returns the currently enforced policies of a tenant, from the cache or from the database. */
export async function policiesInForce(em: Em, tenant: Tenant): Promise<Deciding> {
  const key = keyOf(await namesInForce(em, tenant));
  const known = ready.get(key);
  if (!known) return readInForce(em, tenant);
  ready.delete(key);
  ready.set(key, known);
  return known;
}

type Name = Pick<GovernedRecord, 'uid' | 'state'>;

async function namesInForce(em: Em, { workspace, environment }: Tenant): Promise<readonly Name[]> {
  const { rows } = await sql<Name>`
    select uid, state from governed_record
    where workspace_uid = ${workspace} and environment = ${environment} and kind = ${policyKind.kind}
      and state in ('active', 'suspended')
    order by uid`.execute(em.getKysely());
  return rows;
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

function keyOf(names: readonly Name[]): string {
  return names.map(({ uid, state }) => `${uid} ${state}`).join();
}
