import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';

/** Makes changes to one thing wait for one another until the end of the transaction, also before the thing exists. */
export async function acquireNamedLock(em: Em, ...words: readonly string[]): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${words.join(' ')}, 0))`.execute(em.getKysely());
}
