import { isObject } from '#lib/core/is-object.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import type { PasskeyProof } from '#lib/access/passkeys/assertion.ts';
import type { Delegation, DelegationApproval } from './delegation.entity.ts';
import { isStillSigned } from './signed-vote.ts';
import { termsHash, type DelegationTerms } from './terms.ts';
import type { VoteProof } from './vote-proof.ts';

/** The schema that a document of votes names. */
const SCHEMA = 'assay.delegation-votes/1';

type DocumentedVote = {
  uid: string;
  node: number;
  person_uid: string;
  at: string;
  state: 'counted' | 'voided';
  proof: VoteProof | null;
  /** The SHA-256 of the RFC 8785 form of the proof, which the audit entry of the vote contains for a passkey. */
  proof_hash: string | null;
};

/** The terms of a delegation and the votes for them, with all that is needed to verify their signatures offline. */
export type VoteDocument = {
  schema: typeof SCHEMA;
  delegation_uid: string;
  workspace_uid: string;
  environment: string;
  terms: DelegationTerms;
  terms_hash: string;
  votes: DocumentedVote[];
};

/** Returns the document of the votes for a delegation. */
export function voteDocument(delegation: Delegation, votes: readonly DelegationApproval[]): VoteDocument {
  return {
    schema: SCHEMA,
    delegation_uid: delegation.uid,
    workspace_uid: delegation.workspaceUid,
    environment: delegation.environment,
    terms: delegation.terms,
    terms_hash: delegation.termsHash,
    votes: votes.map(({ uid, node, personUid, at, state, proof }) => ({
      uid,
      node,
      person_uid: personUid,
      at: at.toISOString(),
      state,
      proof: proof ?? null,
      proof_hash: proof ? canonicalHash(proof) : null,
    })),
  };
}

/** The result of a check: the votes that passkeys signed, and every fault, by the uid of its vote. */
export type VoteCheck = { intact: boolean; signed: number; unsigned: number; differences: string[] };

/**
 * Verifies a document of votes without a database: the hash of the terms, and each signature of a passkey over the
 * delegation, its terms and the voter. Returns undefined if the text is another document. Votes without a signature are
 * counted and cannot be verified.
 */
export function checkVotes(text: string): VoteCheck | undefined {
  if (!text.includes(SCHEMA)) return undefined;
  try {
    const document: unknown = JSON.parse(text);
    return isObject(document) && document['schema'] === SCHEMA
      ? checked(document as VoteDocument)
      : undefined;
  } catch {
    return { intact: false, signed: 0, unsigned: 0, differences: ['document'] };
  }
}

function checked({ terms, terms_hash, votes, delegation_uid }: VoteDocument): VoteCheck {
  const signed = votes.filter(({ proof }) => proof?.kind === 'passkey');
  const broken = signed.filter(({ person_uid, proof, proof_hash }) => {
    const vote = { proof: proof as PasskeyProof, delegation_uid, person_uid, terms_hash, can_sign: true };
    return proof_hash !== canonicalHash(proof) || !isStillSigned(vote);
  });
  const differences = [
    ...(termsHash(terms) === terms_hash ? [] : ['terms_hash']),
    ...broken.map(({ uid }) => uid),
  ];
  return {
    intact: differences.length === 0,
    signed: signed.length,
    unsigned: votes.length - signed.length,
    differences,
  };
}
