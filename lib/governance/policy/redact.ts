import type { Scope } from '#lib/core/scope.ts';
import type { Decision, FailedAtom } from './decision.ts';
import { fields } from './fields.ts';

export const REDACTED = 'redacted';

/** What policies say is read under this scope, so their literals and bounds are as well. */
const POLICIES_READ_BY: Scope = 'actions:read';

/** A decision as a caller may be told it: without the values that their scopes could not read. */
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
    // A bound tells the literal, and of a value that is hidden on which side of it that lies.
    ...(readsPolicies && readsActual && bound !== undefined ? { bound } : {}),
    ...(readsPolicies && readsActual && bound_minor !== undefined ? { bound_minor } : {}),
  };
}
