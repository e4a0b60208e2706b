import { raw } from '@mikro-orm/core';
import type { Em, Tenant } from '#lib/database/base.ts';
import type { GovernedRecord } from '#lib/governance/governed/governed-record.entity.ts';
import { listRecords } from '#lib/governance/governed/governed-record.query.ts';
import type { GovernedState } from '#lib/governance/governed/states.ts';
import { policiesInForce } from '#lib/governance/policy/policies-in-force.query.ts';
import { policyKind } from '#lib/governance/policy/policy-kind.ts';
import { namesOfPersons } from '#lib/access/person-names.query.ts';

export type PolicyFilter = {
  state?: GovernedState | undefined;
  key?: string | undefined;
  /** Selects only the policies that apply to this action. */
  action?: string | undefined;
};

/** A version of a policy, with the persons who activated it: the submitter and the approver. */
export type ListedPolicy = { record: GovernedRecord; activatedBy: { uid: string; name: string }[] };

/**
 * Returns the versions of the policies of a tenant, newest first, and the hash of the active policies. A page begins
 * after the record with the uid `after`.
 */
export async function listPolicies(
  em: Em,
  { tenant, filter }: { tenant: Tenant; filter: PolicyFilter },
  page: { after?: string | undefined; limit: number },
): Promise<{ setHash: string; policies: ListedPolicy[] }> {
  const { state, key, action } = filter;
  const { enforced } = await policiesInForce(em, tenant);
  const where = action === undefined ? {} : aboutAction(action);
  const records = await listRecords(em, policyKind, { states: state && [state], key, where }, page);
  const names = await namesOfPersons(em, records.flatMap(activatorsOf));
  const policies = records.map((record) => ({
    record,
    activatedBy: activatorsOf(record).map((uid) => ({ uid, name: names.get(uid)! })),
  }));
  return { setHash: enforced.hash, policies };
}

/** Returns a query condition for policies that apply to an action. A scope without actions applies to all actions. */
function aboutAction(action: string) {
  const actions = `body -> 'scope' -> 'actions'`;
  const isAbout = raw(`(${actions} = '[]'::jsonb or ${actions} @> to_jsonb(?::text))`, [action]);
  return { [isAbout as unknown as string]: true };
}

function activatorsOf({ activeAt, submittedByUid, approvedByUid }: GovernedRecord): string[] {
  return activeAt ? [submittedByUid, approvedByUid].filter((uid) => uid != null) : [];
}
