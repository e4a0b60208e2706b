import type { Scope } from '#lib/core/scope.ts';
import type { Decision, FailedAtom } from './decision.ts';
import { fields } from './fields.ts';

export const REDACTED = 'redacted';

/**
 * The scope that callers need to read policies. Callers also need this scope to see literals and bounds in decisions,
 * because literals and bounds reveal the policies.
 */
const POLICIES_READ_BY: Scope = 'actions:read';

/** Returns a decision as the caller may see it: without values that the caller's scopes do not permit. */
export function redactDecision(decision: Decision, scopes: readonly string[]): Decision {
  const redacted = (atom: FailedAtom) => redactAtom(atom, scopes);
  return {
    ...decision,
    failed: decision.failed.map(redacted),
    approval_because: decision.approval_because.map(redacted),
  };
}

function redactAtom({ bound, bound_minor, ...atom }: FailedAtom, scopes: readonly string[]): FailedAtom {
  const readsPolicies = scopes.includes(POLICIES_READ_BY);
  const readsActual = scopes.includes(fields[atom.field].readBy);
  return {
    ...atom,
    expected: readsPolicies ? atom.expected : REDACTED,
    actual: readsActual ? atom.actual : REDACTED,
    // A bound reveals the literal, and shows whether the hidden value is above or below the literal. The
    // caller must therefore be permitted to read both.
    ...(readsPolicies && readsActual && bound !== undefined ? { bound } : {}),
    ...(readsPolicies && readsActual && bound_minor !== undefined ? { bound_minor } : {}),
  };
}
