import { sql } from 'kysely';
import { minorDigits } from '#lib/core/money.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { inForce } from '#lib/governance/governed/governed-record.write.ts';
import { Counterparty } from '#lib/access/counterparty.entity.ts';
import { actionKind, neverDelegable } from '../authority/action.ts';
import { connectorKind } from '../authority/connector.ts';
import { identityLimits } from '../authority/identity.ts';
import { excessFaults, type Limit } from '../authority/limits.ts';
import type { DraftFault } from './draft.ts';
import type { DelegationTerms } from './terms.ts';

/**
 * Returns the faults of terms that name an inactive record of the workspace, or a record that cannot be used for this
 * identity.
 */
export async function outdatedTerms(
  em: Em,
  tenant: Tenant,
  terms: DelegationTerms,
  identityKey: string,
): Promise<DraftFault[]> {
  const faults: DraftFault[] = [];
  const add = (pointer: string, code: DraftFault['code'], message: string) =>
    faults.push({ pointer, code, message } as DraftFault);
  const [action] = await inForce(em, actionKind, tenant, terms.action);
  if (neverDelegable.test(terms.action)) {
    add('/action', 'action_not_delegable', 'must not change authority, which is never delegated');
  } else if (!action) add('/action', 'unknown_action', 'must be in the catalogue of actions');
  else if (!action.body.machine_delegable) {
    add('/action', 'action_not_delegable', 'must be an action that can be delegated to machines');
  }
  if (!(await isActiveCounterparty(em, tenant, terms.counterparty_id))) {
    add(
      '/counterparty_id',
      'unknown_counterparty',
      'must be a counterparty of the workspace that is not archived',
    );
  }
  if (minorDigits(terms.currency) === undefined) {
    add('/currency', 'invalid_currency', 'must be an active ISO 4217 currency');
  }
  const [connector] = await inForce(em, connectorKind, tenant, terms.connector);
  if (!connector) add('/connector', 'unknown_connector', 'must be an active connector');
  else {
    const { actions, currencies, execution_modes: modes } = connector.body;
    const fits = [
      [
        faults.some(({ pointer }) => pointer === '/action') || actions.includes(terms.action),
        '/action',
        'must be an action of the connector',
      ],
      [currencies.includes(terms.currency), '/currency', 'must be a currency of the connector'],
      [modes.includes(terms.execution_mode), '/execution_mode', 'must be an execution mode of the connector'],
    ] as const;
    for (const [isFit, pointer, message] of fits) if (!isFit) add(pointer, 'connector_unsupported', message);
  }
  const limit: Limit = { currency: terms.currency, ...terms.budgets };
  const ceiling = await identityLimits(em, tenant, identityKey);
  for (const { pointer } of excessFaults([limit], ceiling, '', '', '')) {
    const bound = pointer.replace(/^\/0\//, '');
    const at = bound === 'currency' ? '/currency' : `/budgets/${bound}`;
    add(at, 'identity_ceiling_exceeded', 'must be within the ceiling of the machine identity');
  }
  return faults;
}

async function isActiveCounterparty(em: Em, { workspace }: Tenant, id: number): Promise<boolean> {
  await em.tryFlush(Counterparty, {});
  const { rows } = await sql`
    select from counterparty
    where id = ${id} and workspace_uid = ${workspace} and kind = 'counterparty' and state = 'active'`.execute(
    em.getKysely(),
  );
  return rows.length > 0;
}
