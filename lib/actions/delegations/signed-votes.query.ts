import { sql, type RawBuilder } from 'kysely';

/** Returns the query of the counted votes for a delegation that passkeys signed, as a JSON array or null. */
export function signedVotesOf(uid: string): RawBuilder<unknown> {
  return sql`select jsonb_agg(jsonb_build_object('proof', a.proof, 'delegation_uid', a.delegation_uid,
      'person_uid', a.person_uid, 'terms_hash', a.terms_hash, 'can_sign', passkey_signs(a.proof ->> 'passkey_uid',
        a.person_uid, a.proof ->> 'public_key', a.environment, a.at)))
    from delegation_approval a
    where a.delegation_uid = ${uid} and a.state = 'counted' and a.proof ->> 'kind' = 'passkey'`;
}
