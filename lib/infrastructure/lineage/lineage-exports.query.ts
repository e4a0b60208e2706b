import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import { LineageExport } from './lineage-export.entity.ts';

/** Returns an export of the tenant with its content; null if it does not exist. */
export function findLineageExport(em: Em, uid: string): Promise<LineageExport | null> {
  return em.findOne(LineageExport, { uid });
}

export type ListedExport = Omit<LineageExport, 'content'>;

/** Lists the exports of the tenant without their contents, newest first. */
export function listLineageExports(
  em: Em,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<ListedExport[]> {
  return em.find(LineageExport, after === undefined ? {} : { uid: { $lt: after } }, {
    orderBy: { uid: 'desc' },
    limit,
    exclude: ['content'],
  }) as unknown as Promise<ListedExport[]>;
}

/** Deletes the contents of expired exports of all tenants. Returns their number. */
export async function forgetExports(em: Em, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update lineage_export set content = null where content is not null and expires_at <= ${now.toISOString()}
  `.execute(em.getKysely());
  return Number(numAffectedRows ?? 0);
}
