import { compilePolicies } from '#lib/governance/policy/evaluate.ts';

type Policies = Parameters<typeof compilePolicies>[0];
type Decide = ReturnType<typeof compilePolicies>['decide'];

/** Returns the decision of policies on one input, and compiles the policies for it. */
export function evaluatePolicies(policies: Policies, input: Parameters<Decide>[0]): ReturnType<Decide> {
  return compilePolicies(policies).decide(input);
}
