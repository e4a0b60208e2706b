import { sql, type RawBuilder } from 'kysely';
import type { Em } from '#lib/database/base.ts';

/**
 * Locks the rules that decisions in a workspace depend on, until the transaction ends. Decisions share the
 * lock. A change of authorities, bindings, roles or persons holds the lock exclusively, so that no decision
 * uses a rule that has just ended.
 */
export async function lockControl(em: Em, workspace: string, mode: 'share' | 'change'): Promise<void> {
  await controlLock(workspace, mode).execute(em.getKysely());
}

/** Returns the SQL of `lockControl`, for a transaction that sends it together with its next lock. */
export function controlLock(workspace: string, mode: 'share' | 'change'): RawBuilder<unknown> {
  const key = `control ${workspace}`;
  return mode === 'share'
    ? sql`select pg_advisory_xact_lock_shared(hashtextextended(${key}, 0))`
    : sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`;
}
