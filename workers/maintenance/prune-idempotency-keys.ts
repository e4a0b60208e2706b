import { sql } from 'kysely';
import { inPlatform, type Orm } from '#lib/database/orm.ts';

const RETENTION = '24 hours';

/** Forgets idempotency keys after a day. Their runs stay. */
export async function pruneIdempotencyKeys(orm: Orm): Promise<void> {
  await inPlatform(orm, async (em) => {
    await sql`delete from idempotency_key where created_at < now() - ${RETENTION}::interval`.execute(
      em.getKysely(),
    );
  });
}
