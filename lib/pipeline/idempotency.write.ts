import { sql } from 'kysely';
import type { Idempotency } from '#lib/core/operation.ts';
import type { Em } from '#lib/database/base.ts';

/** What an application got when it sent the key before: the run it made, or the answer. */
export type KeptKey = { fingerprint: string; runUid: string | null; answer: string | null };

/** What is kept of this key, if anything. */
export async function findKey(
  em: Em,
  application: string,
  { operation, key }: Idempotency,
): Promise<KeptKey | undefined> {
  const { rows } = await sql<KeptKey>`
    select fingerprint, run_uid as "runUid", answer from idempotency_key
    where application_uid = ${application} and operation = ${operation} and key = ${key} and expires_at > now()
  `.execute(em.getKysely());
  return rows[0];
}

/**
 * Keeps the key with what it made, in the transaction that made it, in the place of one that has expired. False when
 * another request with the key was first: then the caller's transaction must not commit.
 */
export async function claimKey(
  em: Em,
  application: string,
  { operation, key, fingerprint, keptHours }: Idempotency,
  effect: { runUid: string } | { answer: string },
  now: Date,
): Promise<boolean> {
  const { runUid, answer } = { runUid: null, answer: null, ...effect };
  const expiresAt = new Date(now.getTime() + keptHours * 3_600_000);
  const { rows } = await sql`
    insert into idempotency_key as k (workspace_uid, environment, application_uid, operation, key, fingerprint, run_uid,
      answer, created_at, expires_at)
    values (app_workspace(), app_environment(), ${application}, ${operation}, ${key}, ${fingerprint}, ${runUid},
      ${answer}, ${now}, ${expiresAt})
    on conflict (workspace_uid, environment, application_uid, operation, key) do update
      set fingerprint = excluded.fingerprint, run_uid = excluded.run_uid, answer = excluded.answer,
        created_at = excluded.created_at, expires_at = excluded.expires_at
      where k.expires_at <= now()
    returning key
  `.execute(em.getKysely());
  return rows.length === 1;
}

/** Holds the key until the transaction ends; false while another transaction holds it. One that dies lets go. */
export async function holdKey(
  em: Em,
  application: string,
  { operation, key }: Idempotency,
): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`idempotency ${application} ${operation} ${key}`}, 0)) as held
  `.execute(em.getKysely());
  return rows[0]!.held;
}
