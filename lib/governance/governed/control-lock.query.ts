import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';

/**
 * Holds what may be decided in a workspace as it is until the transaction ends. Decisions share the lock; whoever
 * changes authorities, bindings, roles or persons has it alone, so that no decision rests on what has just ended.
 */
export async function lockControl(em: Em, workspace: string, mode: 'share' | 'change'): Promise<void> {
  const key = `control ${workspace}`;
  const lock =
    mode === 'share'
      ? sql`select pg_advisory_xact_lock_shared(hashtextextended(${key}, 0))`
      : sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`;
  await lock.execute(em.getKysely());
}
