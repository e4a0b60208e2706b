import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Line } from '#lib/core/schema.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { inForce } from '#lib/governance/governed/governed-record.write.ts';
import { defineKind, type BodyFault } from '#lib/governance/governed/kind.ts';
import { fault } from './role.ts';

/** Matches the actions that can never be delegated to a machine, because they change who may do what. */
export const neverDelegable = /^(delegation|authority|policy|credential|approval)\./;

/** The catalogue of actions with an external effect. */
export const actionKind = defineKind({
  kind: 'action',
  prefix: prefixes.actionType,
  schema: Closed({
    machine_delegable: Type.Boolean(),
    description: Line(500, 'The effect of the action, 1 to 500 characters.', 'Pays an obligation.'),
  }),
  async check(_em, { machine_delegable }, { key }) {
    return machine_delegable && neverDelegable.test(key)
      ? [fault('/machine_delegable', 'action_not_delegable', 'must be false: authority is never delegated')]
      : [];
  },
});

/** The actions that every workspace starts with. */
export const defaultActions = [
  { key: 'obligation.pay', machine_delegable: true, description: 'Pays an obligation through a connector.' },
  { key: 'collateral.transfer', machine_delegable: true, description: 'Moves collateral to a counterparty.' },
  {
    key: 'investment.order.submit',
    machine_delegable: false,
    description: 'Submits the orders of a batch for execution.',
  },
];

/** Returns the faults of a list of actions. Each action must be in the catalogue. */
export async function actionFaults(
  em: Em,
  tenant: Tenant,
  actions: readonly string[],
  at: string,
): Promise<BodyFault[]> {
  const known = new Set((await inForce(em, actionKind, tenant)).map(({ key }) => key));
  return actions.flatMap((action, index) =>
    known.has(action)
      ? []
      : [fault(`${at}/${index}`, 'unknown_action', 'must be in the catalogue of actions')],
  );
}
