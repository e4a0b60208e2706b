import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import type { ChallengeFacts } from './passkey.ts';
import type { Statement } from './statement.ts';

type Row = {
  purpose: ChallengeFacts['purpose'];
  session_hash: string | null;
  statement: Statement | null;
  expires_at: string;
  used_at: string | null;
};

/** A challenge that was issued, with the statement that it is the hash of, if it belongs to a decision. */
export type Challenge = ChallengeFacts & { statement: Statement | null };

/** Reads a challenge and locks it, so that two answers to it are judged one after the other. */
export async function lockChallenge(em: Em, challenge: string): Promise<Challenge | undefined> {
  const { rows } = await sql<Row>`
    select purpose, session_hash, statement, expires_at, used_at from passkey_challenge
    where challenge = ${challenge} for update`.execute(em.getKysely());
  const [row] = rows;
  if (!row) return undefined;
  return {
    purpose: row.purpose,
    sessionHash: row.session_hash,
    statement: row.statement,
    expiresAt: new Date(row.expires_at),
    usedAt: row.used_at === null ? null : new Date(row.used_at),
  };
}
