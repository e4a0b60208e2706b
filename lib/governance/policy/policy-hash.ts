import { canonicalHash } from '#lib/core/seal.ts';
import type { PolicyInput } from './fields.ts';
import { scopeNames, type Policy } from './policy.ts';

/** Returns a policy in its normal form for hashing: rules sorted by key, and scope lists sorted. */
export function normalPolicy({ uid, key, version, name, mode, scope, rules }: Policy): Policy {
  const sorted = scopeNames.map((list) => [list, [...scope[list]].sort(inOrder)]);
  return {
    uid,
    key,
    version,
    name,
    mode,
    scope: Object.fromEntries(sorted) as Policy['scope'],
    rules: rules.toSorted((one, other) => inOrder(one.key, other.key)),
  };
}

export function policyHash(policy: Policy): string {
  return canonicalHash({ schema: 'policy/1', ...normalPolicy(policy) });
}

/** Returns the hash of a set of policies. The order of the policies does not matter. */
export function policySetHash(policies: readonly Policy[]): string {
  const hashes = policies.map(policyHash).sort();
  return canonicalHash({ schema: 'policy_set/1', policies: hashes });
}

export function inputHash(input: PolicyInput): string {
  return canonicalHash({ schema: 'policy_input/1', input });
}

function inOrder(one: string | number, other: string | number): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
