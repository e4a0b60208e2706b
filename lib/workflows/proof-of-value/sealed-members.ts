import type { ProofOutcome } from './outcome.ts';
import type { ProofState, Verdict } from './proof-states.ts';
import type { ProofTerms } from './terms.ts';

type Proof = {
  uid: string;
  terms: ProofTerms;
  termsHash: string;
  state: ProofState;
  outcome?: ProofOutcome | null | undefined;
};

/** Returns the members of a proof of value that its seal covers, in their wire form. */
export function sealedMembers({ uid, terms, termsHash, state, outcome }: Proof) {
  const { hash_grade, baseline, ...rest } = terms;
  const verdict: Verdict = state === 'met' || state === 'not_met' ? state : 'insufficient_evidence';
  return {
    uid,
    ...rest,
    baseline,
    evidence: {
      source_reference: baseline.source_reference,
      source_hash: baseline.source_hash,
      hash_grade,
    },
    terms_hash: termsHash,
    state,
    measured: outcome?.measured ?? null,
    change: outcome?.change ?? null,
    verdict,
    decided_by: 'clock' as const,
  };
}
