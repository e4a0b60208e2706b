import { instantOf } from '#lib/core/clock.ts';
import type { Environment } from '#lib/database/base.ts';
import type { GovernedRecord } from '#lib/governance/governed/governed-record.entity.ts';
import type { PolicyInput } from '#lib/governance/policy/fields.ts';
import { localTime } from '#lib/governance/policy/local-time.ts';
import type { Delegation } from './delegation.entity.ts';

/** Returns the policy input for a delegation: every field that policies can read, and no data about persons. */
export function delegationInput(
  point: 'delegation_approval' | 'authorize',
  delegation: Delegation,
  identity: Pick<GovernedRecord, 'uid' | 'activeAt'>,
  environment: Environment,
  now: Date,
): PolicyInput {
  const { terms } = delegation;
  const from = terms.valid_from === null ? now : instantOf(terms.valid_from);
  return {
    decision_point: point,
    environment,
    now: now.toISOString(),
    ...localTime(now, terms.time_zone),
    action: terms.action,
    connector: terms.connector,
    currency: terms.currency,
    counterparty_id: terms.counterparty_id,
    risk_tier: terms.risk_tier,
    execution_mode: terms.execution_mode,
    ...terms.budgets,
    'identity.uid': identity.uid,
    'identity.age_days': daysSince(identity.activeAt ?? now, now),
    'delegation.uid': delegation.uid,
    'delegation.valid_days': Math.max(
      0,
      Math.ceil((instantOf(terms.valid_until).getTime() - from.getTime()) / 86_400_000),
    ),
  };
}

function daysSince(then: Date, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - then.getTime()) / 86_400_000));
}
