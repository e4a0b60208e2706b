import { sql } from 'kysely';
import { sha256 } from '#lib/core/seal.ts';
import type { Em } from '#lib/database/base.ts';
import { newConsoleSecret } from '../console/session-secret.ts';
import { CHALLENGE_MINUTES, type ChallengeFacts } from './passkey.ts';
import { challengeOf, type Statement } from './statement.ts';

type Issued = { purpose: ChallengeFacts['purpose']; sessionHash: string | null; now: Date };

/** Issues a challenge: the hash of a statement or, without a statement, a random value. */
export async function issueChallenge(
  em: Em,
  { purpose, sessionHash, now }: Issued,
  statement?: Statement,
): Promise<string> {
  const challenge = statement ? challengeOf(statement) : randomChallenge();
  const expiresAt = new Date(now.getTime() + CHALLENGE_MINUTES * 60_000);
  await sql`
    insert into passkey_challenge (challenge, purpose, session_hash, statement, created_at, expires_at)
    values (${challenge}, ${purpose}, ${sessionHash}, ${statement ? JSON.stringify(statement) : null}::jsonb, ${now},
      ${expiresAt})`.execute(em.getKysely());
  return challenge;
}

/** Returns a challenge of 256 bits that nobody can guess. */
function randomChallenge(): string {
  return Buffer.from(sha256(newConsoleSecret()), 'hex').toString('base64url');
}

/** Marks a challenge as used. Nothing is accepted for it any more. */
export async function consumeChallenge(em: Em, challenge: string, now: Date): Promise<void> {
  await sql`
    update passkey_challenge set used_at = coalesce(used_at, ${now}) where challenge = ${challenge}
  `.execute(em.getKysely());
}
