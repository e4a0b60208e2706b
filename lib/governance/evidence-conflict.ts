export const conflictStates = ['open', 'resolved_keep', 'resolved_supersede'] as const;
export type ConflictState = (typeof conflictStates)[number];

/** What evidence is kept about. */
export type EvidenceSubject = 'obligation' | 'netting_set' | 'custody_observation';

export const conflictDecisions = ['keep', 'supersede'] as const;
export type ConflictDecision = (typeof conflictDecisions)[number];

export type ConflictVerdict =
  | { ok: true; next: Exclude<ConflictState, 'open'> }
  | { ok: false; code: 'conflict_resolved' | 'resolver_not_independent' };

/**
 * Whether a person may decide a conflict, and what it becomes. Nobody decides who owns or answers for an application
 * that offered either side of it.
 */
export function decideConflict(
  state: ConflictState,
  decision: ConflictDecision,
  resolver: string,
  offerers: readonly string[],
): ConflictVerdict {
  if (state !== 'open') return { ok: false, code: 'conflict_resolved' };
  if (offerers.includes(resolver)) return { ok: false, code: 'resolver_not_independent' };
  return { ok: true, next: decision === 'keep' ? 'resolved_keep' : 'resolved_supersede' };
}
