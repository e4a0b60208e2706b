import type { Em, Tenant } from '#lib/database/orm.ts';
import type { PolicyInput } from '#lib/governance/policy/fields.ts';
import { askPolicies, type Answer } from '../control/ask-policies.repository.ts';
import type { Envelope } from './authorize.ts';
import type { Delegation } from './delegation.entity.ts';
import { delegationInput } from './policy-input.ts';
import type { Window, WindowUse } from './windows.ts';

type About = { delegation: Delegation; identity: { uid: string; createdAt: Date } };

/** Asks the policies about the approval of a delegation; `more` is known of who asks. */
export function askForApproval(em: Em, tenant: Tenant, now: Date, more: PolicyInput = {}) {
  return ({ delegation, identity }: About): Promise<Answer> =>
    askPolicies(em, {
      tenant,
      subject: { type: 'delegation', uid: delegation.uid },
      graph: delegation.graphUid,
      input: {
        ...delegationInput('delegation_approval', delegation, identity, tenant.environment, now),
        ...more,
      },
      now,
    });
}

/** Asks the policies whether a delegation may be used now for what an envelope says. */
export function askForUse(em: Em, tenant: Tenant, now: Date, { amount_minor, obligation_uid }: Envelope) {
  return ({ delegation, identity, use }: About & { use: Record<Window, WindowUse> }): Promise<Answer> =>
    askPolicies(em, {
      tenant,
      subject: { type: 'delegation', uid: delegation.uid },
      graph: delegation.graphUid,
      input: {
        ...delegationInput('authorize', delegation, identity, tenant.environment, now),
        amount_minor,
        'usage.day_minor': Number(use.day.reserved + use.day.settled),
        'usage.month_minor': Number(use.month.reserved + use.month.settled),
        // what is not registered is refused before the policies are asked
        ...(obligation_uid === null
          ? {}
          : { 'obligation.uid': obligation_uid, 'obligation.governance_state': 'registered' }),
      },
      now,
    });
}
