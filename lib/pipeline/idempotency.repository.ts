import { sql } from 'kysely';
import type { Idempotency } from '#lib/core/operation.ts';
import type { Em } from '#lib/database/orm.ts';

/** The run that an application already made with this key, if any. */
export async function findKey(
  em: Em,
  application: string,
  { operation, key }: Idempotency,
): Promise<{ runUid: string; fingerprint: string } | undefined> {
  const { rows } = await sql<{ runUid: string; fingerprint: string }>`
    select run_uid as "runUid", fingerprint from idempotency_key
    where application_uid = ${application} and operation = ${operation} and key = ${key}
  `.execute(em.getKysely());
  return rows[0];
}

/**
 * Keeps the key with the run it made, in the run's own transaction. False when another request with the key was
 * first: then the caller's transaction must not commit.
 */
export async function claimKey(
  em: Em,
  application: string,
  { operation, key, fingerprint }: Idempotency,
  runUid: string,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into idempotency_key
      (workspace_uid, environment, application_uid, operation, key, fingerprint, run_uid, created_at)
    values (app_workspace(), app_environment(), ${application}, ${operation}, ${key}, ${fingerprint}, ${runUid}, ${now})
    on conflict do nothing returning run_uid
  `.execute(em.getKysely());
  return rows.length === 1;
}
