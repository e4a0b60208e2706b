import { assertionFault, type PasskeyProof } from '#lib/access/passkeys/assertion.ts';

/** A counted vote that a passkey signed, and whether the passkey could sign for the voter at the time of the vote. */
export type SignedVote = {
  proof: PasskeyProof;
  delegation_uid: string;
  person_uid: string;
  terms_hash: string;
  can_sign: boolean;
};

/** Whether a stored signature still proves its vote: it is valid, and it names the delegation, its terms and the voter. */
export function isStillSigned({
  proof,
  delegation_uid,
  person_uid,
  terms_hash,
  can_sign,
}: SignedVote): boolean {
  const { statement } = proof;
  return (
    can_sign &&
    statement.subject === delegation_uid &&
    statement.terms_hash === terms_hash &&
    statement.person === person_uid &&
    assertionFault(proof) === undefined
  );
}
