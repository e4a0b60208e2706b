import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';

/** Deletes the texts of questions whose retention period has ended, in every workspace. The sealed answers stay. */
export async function forgetQuestions(em: Em, now: Date): Promise<void> {
  await sql`
    delete from qlm_question where keep_until <= ${now.toISOString()}::timestamptz
  `.execute(em.getKysely());
}
