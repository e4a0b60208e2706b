import { sql, type RawBuilder } from 'kysely';
import { assertionFault, type PasskeyProof } from '#lib/access/passkeys/assertion.ts';

/** A counted vote that a passkey signed, and whether the passkey could sign for the voter at the time of the vote. */
export type SignedVote = {
  proof: PasskeyProof;
  delegation_uid: string;
  person_uid: string;
  terms_hash: string;
  can_sign: boolean;
};

/** Returns the query of the counted votes for a delegation that passkeys signed, as a JSON array or null. */
export function signedVotesOf(uid: string): RawBuilder<unknown> {
  return sql`select jsonb_agg(jsonb_build_object('proof', a.proof, 'delegation_uid', a.delegation_uid,
      'person_uid', a.person_uid, 'terms_hash', a.terms_hash, 'can_sign', passkey_signs(a.proof ->> 'passkey_uid',
        a.person_uid, a.proof ->> 'public_key', a.environment, a.at)))
    from delegation_approval a
    where a.delegation_uid = ${uid} and a.state = 'counted' and a.proof ->> 'kind' = 'passkey'`;
}

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
