import type { DenialCode } from '#lib/agents/invocation.ts';
import type { Caller } from '#lib/core/operation.ts';
import { Problem } from '#lib/core/problem.ts';
import type { Scope } from '#lib/core/scope.ts';
import { entitlementMissing } from '../http/access.ts';

/**
 * Returns the problem for a caller that may not call a tool of this scope. It is the problem that the
 * operation returns over HTTP. Returns undefined if the caller may call the tool.
 */
export function toolRefusal(
  { scopes, entitlements }: Caller,
  scope: Scope,
): { denial: DenialCode; problem: Problem } | undefined {
  if (scopes.has(scope)) return undefined;
  if (!entitlements.has(scope)) {
    return { denial: 'entitlement_missing', problem: entitlementMissing(scope) };
  }
  const problem = new Problem('insufficient_scope', `This tool needs the scope ${scope}.`, {
    members: { required_scope: scope },
  });
  return { denial: 'insufficient_scope', problem };
}
