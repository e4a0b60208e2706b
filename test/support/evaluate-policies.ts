import { compilePolicies } from '#lib/governance/policy/evaluate.ts';

type Policies = Parameters<typeof compilePolicies>[0];
type Decide = ReturnType<typeof compilePolicies>['decide'];

/** Compiles policies and returns their decision on one input. */
export function evaluatePolicies(policies: Policies, input: Parameters<Decide>[0]): ReturnType<Decide> {
  return compilePolicies(policies).decide(input);
}
