import { sql } from 'kysely';
import type { Idempotency } from '#lib/core/operation.ts';
import type { Em } from '#lib/database/base.ts';

/**
 * The record of an idempotency key that an application has already sent, with the run or the answer of that request.
 */
export type KeptKey = { fingerprint: string; runUid: string | null; answer: string | null };

/** Returns the record of an idempotency key; undefined if the key is new or has expired. */
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
 * Stores the key with its run or answer, in the transaction that created the run or answer. Replaces an expired key.
 * Returns false if another request with the key came first; the caller's transaction must then not commit.
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

/**
 * Locks an idempotency key until the transaction ends. Returns false if another transaction holds the lock. If a
 * transaction fails, its lock is released.
 */
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
