import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';

/** Serializes changes of a named subject until the end of the transaction. The subject need not exist yet. */
export async function acquireNamedLock(em: Em, ...words: readonly string[]): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${words.join(' ')}, 0))`.execute(em.getKysely());
}
