import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';

/** The refusal of a command whose workspace does not exist. */
export const workspaceUnknown = 'The workspace does not exist.';

/** The place of changes to a whole workspace; undefined if there is none by this uid. */
export async function workspacePlace(em: Em, uid: string): Promise<{ workspace: string } | undefined> {
  const { rows } = await sql<{ workspace: string }>`
    select uid as workspace from workspace where uid = ${uid}
  `.execute(em.getKysely());
  return rows[0];
}

/** Makes changes to one thing wait for one another until the end of the transaction, also before the thing exists. */
export async function takeTurns(em: Em, ...words: readonly string[]): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${words.join(' ')}, 0))`.execute(em.getKysely());
}
