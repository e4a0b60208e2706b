import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Line } from '#lib/core/schema.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { inForce } from '#lib/governance/governed/governed-record.write.ts';
import { defineKind, type BodyFault } from '#lib/governance/governed/kind.ts';
import { fault } from './role.ts';

/** What changes authority itself is never done by a machine. */
export const neverDelegable = /^(delegation|authority|policy|credential|approval)\./;

/** The catalogue of what can be done to the outside. */
export const actionKind = defineKind({
  kind: 'action',
  prefix: prefixes.actionType,
  about: 'the catalogue of actions, and which of them a machine may be given',
  schema: Closed({
    machine_delegable: Type.Boolean(),
    description: Line(500, 'What happens when it is done.', 'Pays an obligation.'),
  }),
  async check(_em, { machine_delegable }, { key }) {
    return machine_delegable && neverDelegable.test(key)
      ? [fault('/machine_delegable', 'action_not_delegable', 'must be false: authority is never delegated')]
      : [];
  },
});

/** What every workspace starts with. */
export const defaultActions = [
  { key: 'obligation.pay', machine_delegable: true, description: 'Pays an obligation through a connector.' },
  { key: 'collateral.transfer', machine_delegable: true, description: 'Moves collateral to a counterparty.' },
  {
    key: 'investment.order.submit',
    machine_delegable: false,
    description: 'Submits the orders of a batch for execution.',
  },
];

/** Faults of a list of actions: each has to be in the catalogue. */
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
