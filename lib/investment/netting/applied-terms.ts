import type { AgreementType, NettingSetTerms } from './netting-set.ts';
import type { AgreementWarning, AppliedTerms } from './applied-terms.schema.ts';

/** The data of a netting set that a run reads. */
export type RecordedAgreement = {
  uid: string;
  version: number;
  terms: NettingSetTerms;
  termsHash: string;
  sourceReference: string;
  sourceHash: string;
};

/** Returns the recorded terms in the form that a sealed result shows. */
export function appliedTerms(record: RecordedAgreement): AppliedTerms {
  const { uid, version, terms, termsHash, sourceReference, sourceHash } = record;
  return {
    uid,
    version,
    counterparty_id: terms.counterparty_id,
    agreement_type: terms.agreement_type as AgreementType, // only known agreement types are ever recorded
    currency: terms.currency,
    amount_scale: terms.amount_scale,
    threshold_minor: terms.threshold_minor,
    minimum_transfer_minor: terms.minimum_transfer_minor,
    independent_amount_minor: terms.independent_amount_minor,
    terms_hash: termsHash,
    source_reference: sourceReference,
    source_hash: sourceHash,
    enforceability: 'not_assessed',
  };
}

export function agreementWarnings(conflictsOpen: number): AgreementWarning[] {
  return conflictsOpen > 0 ? [{ code: 'terms_disputed', conflicts_open: conflictsOpen }] : [];
}
