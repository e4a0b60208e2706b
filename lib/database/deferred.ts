import { sql, type RawBuilder } from 'kysely';
import type { StatementEm } from './base.ts';
import { DEFERRED } from './client.ts';

/**
 * Sends a statement together with the next statement of the transaction, which may be its commit. This saves a round trip
 * for a write whose rows nobody needs. If the statement fails, the next statement throws its error, and the transaction
 * is rolled back.
 */
export async function defer(em: StatementEm, statement: RawBuilder<unknown>): Promise<void> {
  await sql`${sql.raw(DEFERRED)}${statement}`.execute(em.getKysely());
}
