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
