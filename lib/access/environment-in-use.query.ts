import { sql } from 'kysely';
import type { Em, Environment } from '#lib/database/base.ts';

/** Returns `production` if the workspace has a production application, otherwise `sandbox`. */
export async function environmentInUse(em: Em, workspace: string): Promise<Environment> {
  const { rows } = await sql`
    select from application where workspace_uid = ${workspace} and environment = 'production' limit 1
  `.execute(em.getKysely());
  return rows.length > 0 ? 'production' : 'sandbox';
}
