import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';

/** Returns the region in which the data of a workspace is stored; undefined if the workspace does not exist. */
export async function homeRegion(em: Em, workspace: string): Promise<string | undefined> {
  const { rows } = await sql<{
    region: string;
  }>`select region from workspace where uid = ${workspace}`.execute(em.getKysely());
  return rows[0]?.region;
}
