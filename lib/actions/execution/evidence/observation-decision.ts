import { MINOR_MAX } from '#lib/core/money.ts';
import type { ConflictKind, EvidenceVerdict } from '#lib/governance/evidence.ts';
import type { ReadObservation } from './observation.ts';
import type { EvidenceFault } from './evidence-fault.ts';

export type ObservationRule = {
  /** Whether the custodian or the source is the broker or the source of a confirmation of the batch. */
  isDependent: boolean;
  isCustodianKnown: boolean;
  read: ReadObservation;
  isCancelled: boolean;
  /** The comparison with the observation stored under its reference; undefined if no observation is stored. */
  comparison?: EvidenceVerdict | undefined;
  /**
   * The first currency in which the settled amount would exceed the largest safe JSON integer; undefined if
   * there is none.
   */
  beyondWire?: string | undefined;
};

export type ObservationVerdict =
  | { ok: true; outcome: 'recorded' | 'seen_again' }
  | { ok: false; code: 'custody_source_not_independent' | 'unknown_custodian' | 'batch_cancelled' }
  | {
      ok: false;
      code: 'insufficient_evidence' | 'invalid_custody_evidence';
      faults: readonly EvidenceFault[];
    }
  | { ok: false; code: 'observation_conflict'; kind: ConflictKind; differing: string[] };

/** Decides whether a custody observation is recorded, is a repetition that only increases a count, or is refused. */
export function decideObservation(rule: ObservationRule): ObservationVerdict {
  const { isDependent, isCustodianKnown, read, isCancelled, comparison, beyondWire } = rule;
  if (isDependent) return { ok: false, code: 'custody_source_not_independent' };
  if (!isCustodianKnown) return { ok: false, code: 'unknown_custodian' };
  if (!read.ok) return { ok: false, code: read.code, faults: read.faults };
  if (isCancelled) return { ok: false, code: 'batch_cancelled' };
  if (comparison?.same) return { ok: true, outcome: 'seen_again' };
  if (comparison) {
    const { kind, differing } = comparison;
    return { ok: false, code: 'observation_conflict', kind, differing };
  }
  if (beyondWire === undefined) return { ok: true, outcome: 'recorded' };
  const message = `must not raise the settled amount in ${beyondWire} above ${MINOR_MAX} minor units`;
  const faults = [{ pointer: '/lines', code: 'amount_range', message }];
  return { ok: false, code: 'invalid_custody_evidence', faults };
}
