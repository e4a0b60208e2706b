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
 * Returns a kind of record that also checks the delegations after each change. Delegations that have lost their support
 * are suspended.
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
 * All kinds of record of financial actions that need two persons to become active, by the name of their CLI
 * command.
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
