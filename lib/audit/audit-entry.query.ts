import { sql } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';
import type { AuditEntry } from './entry.ts';

/** An audit entry. `index` is its position in the log tree; null if the entry has no position yet. */
export type ListedEntry = { id: string; index: number | null; leafHash: string; entry: AuditEntry };

export type AuditQuestion = {
  op?: string | undefined;
  subject?: string | undefined;
  since?: Date | undefined;
  limit: number;
};

/** Lists the audit entries of the tenant of `em`, newest first. */
export async function listAudit(
  em: Em,
  { op, subject, since, limit }: AuditQuestion,
): Promise<ListedEntry[]> {
  const { workspace, environment } = tenantOf(em);
  const conditions = [
    sql`e.workspace_uid = ${workspace}`,
    sql`e.environment = ${environment}`,
    ...(op === undefined ? [] : [sql`e.op = ${op}`]),
    ...(subject === undefined ? [] : [sql`e.subject_uid = ${subject}`]),
    ...(since === undefined ? [] : [sql`e.at >= ${since}`]),
  ];
  const { rows } = await sql<ListedEntry>`
    select e.id, l.leaf_index::float8 as index, e.leaf_hash as "leafHash", e.body::json as entry
    from audit_entry e left join audit_leaf l on l.entry_id = e.id
    where ${sql.join(conditions, sql` and `)}
    order by e.id desc limit ${limit}
  `.execute(em.getKysely());
  return rows;
}
