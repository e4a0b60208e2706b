import { sql } from 'kysely';
import type { Orm } from '#lib/database/base.ts';
import { inPlatform } from '#lib/database/orm.ts';

/** Deletes expired idempotency keys and the responses stored with them. The runs are kept. */
export async function pruneIdempotencyKeys(orm: Orm): Promise<void> {
  await inPlatform(orm, async (em) => {
    await sql`delete from idempotency_key where expires_at < now()`.execute(em.getKysely());
  });
}
