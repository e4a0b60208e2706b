export const listingKinds = ['workflow', 'dataset', 'model', 'connector', 'policy_template'] as const;
export type ListingKind = (typeof listingKinds)[number];

export const listingStates = ['proposed', 'published', 'superseded', 'withdrawn'] as const;
export type ListingState = (typeof listingStates)[number];

export const certificationStatuses = ['none', 'self_declared', 'evaluated'] as const;
export type CertificationStatus = (typeof certificationStatuses)[number];

/** The current digest of an item, or the reason why the item cannot be listed. */
export type Subject =
  | { digest: string; fault?: undefined }
  | {
      digest?: undefined;
      fault: 'subject_unknown' | 'digest_unpublished' | 'case_failed' | 'redistribution_denied';
    };

/** The sealed record that supports an evaluation: a run or an evidence pack. Null if there is none. */
export type Evidence = { uid: string } | null;

type Claim = { status: CertificationStatus; evidence: Evidence };

export type ProposalVerdict =
  | { ok: true; digest: string }
  | { ok: false; code: NonNullable<Subject['fault']> | 'evidence_unsealed' | 'version_exists' };

/**
 * Decides whether a listing may be proposed: its version must be new, the item must be published, and an evaluation
 * must be supported by a sealed record.
 */
export function decideProposal(
  subject: Subject,
  { status, evidence }: Claim,
  versionExists: boolean,
): ProposalVerdict {
  if (versionExists) return { ok: false, code: 'version_exists' };
  if (subject.fault !== undefined) return { ok: false, code: subject.fault };
  if (status === 'evaluated' && evidence === null) return { ok: false, code: 'evidence_unsealed' };
  return { ok: true, digest: subject.digest };
}

type Listed = { state: ListingState; digest: string; proposedBy: string };

export type ApprovalVerdict =
  | { ok: true; next: 'published' }
  | {
      ok: false;
      code:
        | NonNullable<Subject['fault']>
        | 'transition_not_allowed'
        | 'second_person_required'
        | 'digest_changed'
        | 'evidence_unsealed';
    };

/**
 * Decides whether a person may publish a proposed listing: the person must not be the proposer, the item must still
 * have the digest of the listing, and the evidence must still be sealed.
 */
export function decideApproval(
  { state, digest, proposedBy }: Listed,
  { subject, claim, person }: { subject: Subject; claim: Claim; person: string },
): ApprovalVerdict {
  if (state !== 'proposed') return { ok: false, code: 'transition_not_allowed' };
  if (person === proposedBy) return { ok: false, code: 'second_person_required' };
  if (subject.fault !== undefined) return { ok: false, code: subject.fault };
  if (subject.digest !== digest) return { ok: false, code: 'digest_changed' };
  if (claim.status === 'evaluated' && claim.evidence === null)
    return { ok: false, code: 'evidence_unsealed' };
  return { ok: true, next: 'published' };
}

export type WithdrawalVerdict =
  | { ok: true; next: 'withdrawn' }
  | { ok: false; code: 'transition_not_allowed' };

/** Decides whether a listing may be withdrawn. One person is enough, because a withdrawal only removes an offer. */
export function decideWithdrawal(state: ListingState): WithdrawalVerdict {
  return state === 'withdrawn'
    ? { ok: false, code: 'transition_not_allowed' }
    : { ok: true, next: 'withdrawn' };
}

export type RevocationVerdict = { ok: true } | { ok: false; code: 'certification_valid' };

/** Decides whether a certification ends. It ends if the item no longer has the digest that was certified. */
export function decideRevocation(
  { state, digest, certification }: Pick<Listed, 'state' | 'digest'> & { certification: CertificationStatus },
  subject: Subject,
): RevocationVerdict {
  const isShown = state === 'published' || state === 'superseded';
  return isShown && certification !== 'none' && subject.digest !== digest
    ? { ok: true }
    : { ok: false, code: 'certification_valid' };
}

/** Returns the words of a text in lower case, without duplicates. A word is a run of letters and digits. */
export function wordsOf(text: string): string[] {
  const words = text
    .normalize('NFC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]/u);
  return [...new Set(words)].filter((word) => word !== '');
}
