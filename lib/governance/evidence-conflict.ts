import type { ConflictKind, EvidenceVerdict } from './evidence.ts';

export const conflictStates = ['open', 'resolved_keep', 'resolved_supersede'] as const;
export type ConflictState = (typeof conflictStates)[number];

/** The kinds of record that evidence can contradict. */
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
  /** Whether the contradicted record has not ended, so that it can still be replaced. */
  isLive: boolean;
  /** The number of open conflicts about the record, including this conflict. */
  open: number;
  /**
   * The persons who own or are responsible for an application that submitted the record or the contradicting evidence.
   */
  proposers: readonly string[];
};

/**
 * Decides whether a person may resolve a conflict, and returns the next state of the conflict. A person who
 * owns or is responsible for an application that submitted the record or the evidence may not resolve the
 * conflict. Only the decision on the last open conflict of a record can replace the record, so that no
 * conflict stays open. A record that has ended is never replaced.
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

/** The refusal of a source that contradicts the record with the same reference. The source is stored as a conflict. */
export type SourceConflict<R> = {
  ok: false;
  code: 'source_evidence_conflict';
  kept: R;
  /** The uid of the conflict. */
  conflict: string;
  kind: ConflictKind;
  differing: string[];
};

/**
 * Decides whether a submitted source repeats the stored source or contradicts it. A repeated source only increases a
 * count.
 */
export function decideOffered<R>(
  kept: R,
  compared: EvidenceVerdict,
  conflict: string,
): { ok: true; outcome: 'seen_again' } | SourceConflict<R> {
  if (compared.same) return { ok: true, outcome: 'seen_again' };
  const { kind, differing } = compared;
  return { ok: false, code: 'source_evidence_conflict', kept, conflict, kind, differing };
}
