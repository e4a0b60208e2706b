import type { Decision } from './decision.ts';
import { compilePolicies, type PolicySet } from './evaluate.ts';
import type { PolicyInput } from './fields.ts';
import type { Policy } from './policy.ts';

/** The decision that would be made if the shadow policies were enforced too. */
export type ShadowDecision = { decision: Decision; policy_uids: string[]; would_change: boolean };

export type Deciding = {
  /** The enforced policies. Only they determine the decision. */
  enforced: PolicySet;
  /** The enforced policies and the shadow policies together; null if there are no shadow policies. */
  shadow: PolicySet | null;
};

/**
 * Returns the policies for evaluation. A suspended policy no longer allows anything, but still denies and still
 * requires approval. One person can suspend a policy, so a suspension must never permit more than before.
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

/**
 * Whether one person may end a policy. A policy that restricts others can only be replaced by a version that
 * two persons approve.
 */
export function mayBeEnded({ mode, rules }: Pick<Policy, 'mode' | 'rules'>): boolean {
  return mode === 'shadow' || rules.every(({ effect }) => effect === 'allow');
}

/**
 * Separates the enforced policies from the shadow policies, so that a shadow policy can never affect the
 * decision.
 */
export function partPolicies(policies: readonly Policy[]): Deciding {
  const enforced = policies.filter(({ mode }) => mode === 'enforce');
  return {
    enforced: compilePolicies(enforced),
    shadow: enforced.length === policies.length ? null : compilePolicies(policies),
  };
}

/**
 * Evaluates the enforced policies, and the enforced policies together with the shadow policies. Returns the decision of
 * the enforced policies, and the decision that would be made if the shadow policies were enforced too.
 */
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
