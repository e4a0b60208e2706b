import { sql } from 'kysely';
import { sha256 } from '#lib/core/seal.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { newConsoleSecret } from './session-secret.ts';
import { SESSION_HOURS, type SessionProof } from './session.ts';

type Opening = {
  place: Tenant;
  person: string;
  proof: SessionProof;
  now: Date;
  /** The person who issued the sign-in link that led to the session; null if there is none or nobody was named. */
  linkIssuer?: string | null;
  /** The identity with which the person signed in at the identity provider. */
  identity?: string;
};

/** Opens a session of a person. Only the hash of its secret is stored. */
export async function openSession(
  em: Em,
  { place, person, proof, now, linkIssuer = null, identity }: Opening,
): Promise<{ secret: string; endsAt: Date }> {
  const secret = newConsoleSecret();
  const endsAt = new Date(now.getTime() + SESSION_HOURS * 3_600_000);
  await sql`
    insert into console_session (
      session_hash, workspace_uid, environment, person_uid, proof, opened_at, seen_at, ends_at, link_issued_by_uid,
      identity_uid
    )
    values (
      ${sha256(secret)}, ${place.workspace}, ${place.environment}, ${person}, ${proof}, ${now}, ${now}, ${endsAt},
      ${linkIssuer}, ${identity ?? null}
    )
  `.execute(em.getKysely());
  return { secret, endsAt };
}

/** Ends the open sessions of a person, or only those that the person opened in the given way. */
export async function endSessions(
  em: Em,
  person: string,
  { now, proof = null }: { now: Date; proof?: SessionProof | null },
): Promise<void> {
  await sql`
    update console_session set ended_at = ${now}
    where person_uid = ${person} and ended_at is null and proof = coalesce(${proof}::text, proof)
  `.execute(em.getKysely());
}
