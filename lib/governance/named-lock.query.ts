import { sql, type RawBuilder } from 'kysely';
import type { Em } from '#lib/database/base.ts';

/** Serializes changes of a named subject until the end of the transaction. The subject need not exist yet. */
export async function acquireNamedLock(em: Em, ...words: readonly string[]): Promise<void> {
  await namedLock(...words).execute(em.getKysely());
}

/** Returns the SQL of `acquireNamedLock`, for a transaction that sends it together with its next lock. */
export function namedLock(...words: readonly string[]): RawBuilder<unknown> {
  return sql`select pg_advisory_xact_lock(hashtextextended(${words.join(' ')}, 0))`;
}
