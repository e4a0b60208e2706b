import { environments, type Em } from '#lib/database/base.ts';
import { bootstrapGoverned } from '#lib/governance/governed/governed-record.write.ts';
import type { GovernedKind } from '#lib/governance/governed/kind.ts';
import { actionKind, defaultActions } from './action.ts';
import { ceilingKind } from './ceiling.ts';
import { graphKind } from './graph.ts';
import { roleKind } from './role.ts';

/** The role that the default graph of a new workspace requires. Initially, the role has no members. */
export const DELEGATION_APPROVER = 'delegation_approver';

const sandboxCeiling = ['EUR', 'USD', 'GBP', 'CHF', 'JPY'].map((currency) => ({
  currency,
  per_action_minor: 1_000_000_000,
  per_day_minor: 10_000_000_000,
  per_month_minor: 100_000_000_000,
}));

/**
 * Writes the initial records of a workspace in both environments: the catalogue of actions, the role of delegation
 * approvers, and an approval graph that requires one approver with this role. The sandbox also gets a ceiling.
 * Production has no ceiling until two persons set one, so no authority can be granted there before then. The role has
 * no members, and there are no authorities and no policies.
 */
export async function writeDefaults(em: Em, workspace: string, now: Date): Promise<void> {
  for (const environment of environments) {
    const tenant = { workspace, environment };
    const put = (kind: unknown, key: string, name: string, body: unknown) =>
      bootstrapGoverned(em, kind as GovernedKind, { tenant, key, name, body, now });
    for (const { key, ...body } of defaultActions) await put(actionKind, key, body.description, body);
    await put(roleKind, DELEGATION_APPROVER, 'Delegation approver', {});
    await put(graphKind, 'delegation-default', 'Default for delegations', {
      applies_to: { actions: [], risk_tiers: [] },
      nodes: [{ key: 'approval', quorum: 1, roles: [DELEGATION_APPROVER], users: [], timeout_hours: null }],
    });
    if (environment === 'sandbox') await put(ceilingKind, 'workspace', 'Sandbox', { limits: sandboxCeiling });
  }
}
