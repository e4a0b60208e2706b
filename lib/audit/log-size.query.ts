import { sql } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';

/**
 * Returns the number of committed entries in the log of the tenant of `em`. The number grows with every audited effect,
 * so an unchanged number means that no audited effect was committed in between. The query counts only the entries
 * without a position in the log tree, which are few. It derives the number of all other entries from the last position.
 */
export async function logSize(em: Em): Promise<number> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<{ size: number }>`
    select (
      coalesce((
        select leaf_index + 1 from audit_leaf where workspace_uid = ${workspace} and environment = ${environment}
        order by leaf_index desc limit 1
      ), 0)
      + (select count(*) from audit_pending where workspace_uid = ${workspace} and environment = ${environment})
    )::float8 as size
  `.execute(em.getKysely());
  return rows[0]!.size;
}
