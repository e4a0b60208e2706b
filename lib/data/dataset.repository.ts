import { sql } from 'kysely';
import type { Em } from '#lib/database/orm.ts';

/** The revision of each entitled dataset, by dataset id: the state of the data that a run may read. */
export async function currentRevisions(em: Em): Promise<Record<string, number>> {
  const { rows } = await sql<{
    id: number;
    revision: number;
  }>`select id, revision from dataset order by id`.execute(em.getKysely());
  return Object.fromEntries(rows.map((row) => [row.id, row.revision]));
}
