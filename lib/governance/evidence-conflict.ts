import type { ConflictKind, EvidenceVerdict } from './evidence.ts';

export const conflictStates = ['open', 'resolved_keep', 'resolved_supersede'] as const;
export type ConflictState = (typeof conflictStates)[number];

/** What evidence is kept about. */
export type EvidenceSubject = 'obligation' | 'netting_set' | 'custody_observation';

export const conflictDecisions = ['keep', 'supersede'] as const;
export type ConflictDecision = (typeof conflictDecisions)[number];

export type ConflictVerdict =
  | { ok: true; next: Exclude<ConflictState, 'open'> }
  | {
      ok: false;
      code: 'conflict_resolved' | 'resolver_not_independent' | 'transition_not_allowed' | 'conflicts_open';
    };

export type ConflictFacts = {
  state: ConflictState;
  /** Whether the record that the evidence contradicts can still be replaced: it has not ended. */
  isLive: boolean;
  /** Open conflicts about the record, this one included. */
  open: number;
  /** Persons who own or answer for an application that offered either side. */
  proposers: readonly string[];
};

/**
 * Whether a person may decide a conflict, and what it becomes. Nobody decides who stands behind either side of it. A
 * record is replaced by the decision on its last open conflict alone, so that no other is left behind, and never once
 * it has ended.
 */
export function decideConflict(
  { state, isLive, open, proposers }: ConflictFacts,
  decision: ConflictDecision,
  resolver: string,
): ConflictVerdict {
  if (state !== 'open') return { ok: false, code: 'conflict_resolved' };
  if (proposers.includes(resolver)) return { ok: false, code: 'resolver_not_independent' };
  if (decision === 'supersede' && !isLive) return { ok: false, code: 'transition_not_allowed' };
  if (decision === 'supersede' && open > 1) return { ok: false, code: 'conflicts_open' };
  return { ok: true, next: decision === 'keep' ? 'resolved_keep' : 'resolved_supersede' };
}

/** The refusal of a source that contradicts the record under its reference. It is kept as a conflict. */
export type SourceConflict<R> = {
  ok: false;
  code: 'source_evidence_conflict';
  kept: R;
  /** The uid of the conflict. */
  conflict: string;
  kind: ConflictKind;
  differing: string[];
};

/** Whether an offered source is the one that is kept, and is counted again, or contradicts it. */
export function decideOffered<R>(
  kept: R,
  compared: EvidenceVerdict,
  conflict: string,
): { ok: true; outcome: 'seen_again' } | SourceConflict<R> {
  if (compared.same) return { ok: true, outcome: 'seen_again' };
  const { kind, differing } = compared;
  return { ok: false, code: 'source_evidence_conflict', kept, conflict, kind, differing };
}
