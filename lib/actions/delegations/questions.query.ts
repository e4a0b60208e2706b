import { sendDeferred, type Em, type Tenant } from '#lib/database/base.ts';
import type { GovernedRecord } from '#lib/governance/governed/governed-record.entity.ts';
import type { PolicyInput } from '#lib/governance/policy/fields.ts';
import type { PolicyName } from '#lib/governance/policy/policies-in-force.query.ts';
import { askPolicies, type Answer } from '../authority/ask-policies.query.ts';
import type { AuthorizeFacts, Envelope } from './authorize.ts';
import type { Delegation } from './delegation.entity.ts';
import { delegationInput } from './policy-input.ts';
import type { Window, WindowUse } from './windows.ts';

type About = { delegation: Delegation; identity: Pick<GovernedRecord, 'uid' | 'activeAt'> };

/**
 * Evaluates the policies for the approval of a delegation. `more` contains facts about the caller. Throws if the decision
 * cannot be recorded, so that the caller can distinguish this failure from others.
 */
export function askForApproval(em: Em, tenant: Tenant, more: PolicyInput = {}) {
  return async ({ delegation, identity }: About, now: Date): Promise<Answer> => {
    const answer = await askPolicies(em, {
      tenant,
      subject: { type: 'delegation', uid: delegation.uid },
      graph: delegation.graphUid,
      input: {
        ...delegationInput('delegation_approval', delegation, identity, tenant.environment, now),
        ...more,
      },
      now,
    });
    await sendDeferred(em);
    return answer;
  };
}

type Use = About & { use: Record<Window, WindowUse>; obligation: AuthorizeFacts['obligation'] };

/** Evaluates the policies for the action of an envelope under a delegation. The transaction has read their names. */
export function askForUse(
  em: Em,
  tenant: Tenant,
  {
    envelope: { amount_minor, obligation_uid },
    policies,
  }: { envelope: Envelope; policies: readonly PolicyName[] },
) {
  return ({ delegation, identity, use, obligation }: Use, now: Date): Promise<Answer> =>
    askPolicies(em, {
      tenant,
      subject: { type: 'delegation', uid: delegation.uid },
      graph: delegation.graphUid,
      policies,
      input: {
        ...delegationInput('authorize', delegation, identity, tenant.environment, now),
        amount_minor,
        'usage.day_minor': Number(use.day.reserved + use.day.settled),
        'usage.month_minor': Number(use.month.reserved + use.month.settled),
        ...aboutObligation(obligation_uid, obligation),
      },
      now,
    });
}

function aboutObligation(uid: string | null, obligation: AuthorizeFacts['obligation']): PolicyInput {
  if (obligation === null || obligation === 'unknown') return {};
  return {
    'obligation.uid': uid,
    'obligation.governance_state': obligation.state,
    'obligation.type': obligation.type,
  };
}
