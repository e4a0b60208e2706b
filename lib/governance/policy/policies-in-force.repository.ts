import type { Em, Tenant } from '#lib/database/orm.ts';
import { GovernedRecord } from '../governed/governed-record.entity.ts';
import { policyKind, policyOf } from './policy-kind.ts';
import { effectivePolicies, partPolicies, type Deciding } from './shadow.ts';

/** So many sets of policies are kept ready. A version never changes, so their uids and states say which set it is. */
const READY_MOST = 200;
const ready = new Map<string, Deciding>();

/** The policies of a tenant as they are asked now. */
export async function policiesInForce(em: Em, { workspace, environment }: Tenant): Promise<Deciding> {
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
  const key = records.map(({ uid, state }) => `${uid} ${state}`).join();
  const known = ready.get(key);
  ready.delete(key);
  const deciding =
    known ??
    partPolicies(
      effectivePolicies(
        records.map((record) => ({ policy: policyOf(record), isSuspended: record.state === 'suspended' })),
      ),
    );
  ready.set(key, deciding);
  if (ready.size > READY_MOST) ready.delete(ready.keys().next().value!);
  return deciding;
}
