import { sql } from 'kysely';
import { setRetention } from '#lib/data/retention.write.ts';
import { inPlatform } from '#lib/database/orm.ts';
import type { Backend } from './backends.ts';
import type { Tenancy } from './build.ts';

/** Sets the retention period of every dataset of a workspace, in years. */
export function keepYears(
  backend: Pick<Backend, 'orm'>,
  { workspace, person }: Pick<Tenancy, 'workspace' | 'person'>,
  years: number | null,
): Promise<void> {
  return inPlatform(backend.orm('operator'), async (em) => {
    const { rows } = await sql<{ id: number }>`
      select id from dataset where workspace_uid = ${workspace} order by id
    `.execute(em.getKysely());
    for (const { id } of rows) {
      await setRetention(em, { datasetId: id, workspace, keepYears: years, setBy: person, now: new Date() });
    }
  });
}
