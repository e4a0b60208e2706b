import type { Decision } from './decision.ts';
import { compilePolicies, type PolicySet } from './evaluate.ts';
import type { PolicyInput } from './fields.ts';
import type { Policy } from './policy.ts';

/** What would be decided, were the policies in shadow in force as well. */
export type ShadowDecision = { decision: Decision; policy_uids: string[]; would_change: boolean };

export type Deciding = {
  /** The policies in force. They alone decide. */
  enforced: PolicySet;
  /** Those with the policies in shadow; null where there are none. */
  shadow: PolicySet | null;
};

/**
 * The policies as they are asked. One that a person suspended allows nothing any more, and goes on to deny and to ask
 * for approval: one person alone can take power away and never give any.
 */
export function effectivePolicies(
  policies: readonly { policy: Policy; isSuspended: boolean }[],
): readonly Policy[] {
  return policies.flatMap(({ policy, isSuspended }) => {
    if (!isSuspended) return [policy];
    const rules = policy.rules.filter(({ effect }) => effect !== 'allow');
    return policy.mode === 'enforce' && rules.length > 0 ? [{ ...policy, rules }] : [];
  });
}

/** Whether one person may end a policy: not where it holds anybody back. Then a version that two approve replaces it. */
export function mayBeEnded({ mode, rules }: Pick<Policy, 'mode' | 'rules'>): boolean {
  return mode === 'shadow' || rules.every(({ effect }) => effect === 'allow');
}

/** Parts the policies in force from those in shadow, so that nothing of the latter can reach the decision. */
export function partPolicies(policies: readonly Policy[]): Deciding {
  const enforced = policies.filter(({ mode }) => mode === 'enforce');
  return {
    enforced: compilePolicies(enforced),
    shadow: enforced.length === policies.length ? null : compilePolicies(policies),
  };
}

/** The decision of the policies in force, and beside it what those in shadow would make of it. */
export function decidePolicies(
  { enforced, shadow }: Deciding,
  input: PolicyInput,
): { decision: Decision; shadow: ShadowDecision | null } {
  const decision = enforced.decide(input);
  if (!shadow) return { decision, shadow: null };
  const would = shadow.decide(input);
  const uids = shadow.policies.filter(({ mode }) => mode !== 'enforce').map(({ uid }) => uid);
  return {
    decision,
    shadow: {
      decision: would,
      policy_uids: uids.toSorted(),
      would_change: would.effect !== decision.effect,
    },
  };
}
