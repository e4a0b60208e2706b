import { compilePolicies } from '#lib/governance/policy/evaluate.ts';

type Policies = Parameters<typeof compilePolicies>[0];
type Decide = ReturnType<typeof compilePolicies>['decide'];

/** The decision of policies that are compiled for one input. */
export function evaluatePolicies(policies: Policies, input: Parameters<Decide>[0]): ReturnType<Decide> {
  return compilePolicies(policies).decide(input);
}
