import { sql } from 'kysely';
import type { Em, Environment } from '#lib/database/base.ts';

/** Production once a workspace has an application there, else the sandbox. */
export async function environmentInUse(em: Em, workspace: string): Promise<Environment> {
  const { rows } = await sql`
    select from application where workspace_uid = ${workspace} and environment = 'production' limit 1
  `.execute(em.getKysely());
  return rows.length > 0 ? 'production' : 'sandbox';
}
