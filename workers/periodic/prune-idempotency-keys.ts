import { sql } from 'kysely';
import type { Orm } from '#lib/database/base.ts';
import { inPlatform } from '#lib/database/orm.ts';

/** Forgets idempotency keys and the answers kept with them, when they expire. Runs stay. */
export async function pruneIdempotencyKeys(orm: Orm): Promise<void> {
  await inPlatform(orm, async (em) => {
    await sql`delete from idempotency_key where expires_at < now()`.execute(em.getKysely());
  });
}
