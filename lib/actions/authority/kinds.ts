import type { TSchema } from 'typebox';
import type { GovernedKind } from '#lib/governance/governed/kind.ts';
import { policyKind } from '#lib/governance/policy/policy-kind.ts';
import { suspendUnsupported } from '../delegations/support.write.ts';
import { preTradeRulesKind } from '../execution/batch/pre-trade-rules.ts';
import { settlementCalendarKind } from '../execution/batch/settlement-calendar.ts';
import { toleranceProfileKind } from '../execution/reconciliation/tolerance-profile.ts';
import { actionKind } from './action.ts';
import { authorityKind } from './authority.ts';
import { bindingKind } from './binding.ts';
import { ceilingKind } from './ceiling.ts';
import { connectorKind } from './connector.ts';
import { graphKind } from './graph.ts';
import { identityCeilingKind, identityKind } from './identity.ts';
import { membershipKind, roleKind } from './role.ts';

/**
 * Extends a kind: each change of a record of this kind is followed by a check of all delegations. A delegation
 * is suspended if a record that it depends on is no longer active (see `suspendUnsupported`).
 */
function supporting<Schema extends TSchema>(kind: GovernedKind<Schema>): GovernedKind<Schema> {
  return {
    ...kind,
    changed: async (em, { workspaceUid: workspace, environment }, now) => {
      await suspendUnsupported(em, { workspace, environment }, now);
    },
  };
}

/**
 * The kinds of governed records of financial actions, by the name of their CLI command. Two persons must
 * activate each such record.
 */
export const controlKinds = {
  ceiling: supporting(ceilingKind),
  role: supporting(roleKind),
  membership: supporting(membershipKind),
  binding: bindingKind,
  action: supporting(actionKind),
  connector: supporting(connectorKind),
  identity: supporting(identityKind),
  'identity-ceiling': supporting(identityCeilingKind),
  authority: supporting(authorityKind),
  graph: graphKind,
  policy: policyKind,
  'tolerance-profile': toleranceProfileKind,
  'settlement-calendar': settlementCalendarKind,
  'pre-trade-rules': preTradeRulesKind,
} as unknown as Record<string, GovernedKind>;
