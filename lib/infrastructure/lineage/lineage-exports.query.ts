import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { sql } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { LineageExport } from './lineage-export.entity.ts';

const expand = promisify(gunzip);

/** An export without its content. */
export type ListedExport = Omit<
  LineageExport,
  'content' | 'contentGzip' | 'scopes' | 'attempts' | 'startedAt'
>;

/** An export with its content; null if the export has none. */
export type FoundExport = ListedExport & { content: string | null };

/** Returns an export of the tenant with its content; null if it does not exist. */
export async function findLineageExport(em: Em, uid: string): Promise<FoundExport | null> {
  const found = await em.findOne(LineageExport, { uid });
  if (!found) return null;
  const { content, contentGzip, ...listed } = found;
  const text = contentGzip ? (await expand(contentGzip)).toString('utf8') : (content ?? null);
  return { ...listed, content: text };
}

/** Returns the uid of an export of the tenant that has this request and is not built yet; undefined if there is none. */
export async function findOpenExport(em: Em, requestHash: string): Promise<string | undefined> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<{ uid: string }>`
    select uid from lineage_export where workspace_uid = ${workspace} and environment = ${environment}
      and request_hash = ${requestHash} and state in ('queued', 'running') limit 1
  `.execute(em.getKysely());
  return rows[0]?.uid;
}

/** Lists the exports of the tenant without their contents, newest first. */
export function listLineageExports(
  em: Em,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<ListedExport[]> {
  return em.find(LineageExport, after === undefined ? {} : { uid: { $lt: after } }, {
    orderBy: { uid: 'desc' },
    limit,
    exclude: ['content', 'contentGzip'],
  }) as unknown as Promise<ListedExport[]>;
}

/** Deletes the contents of expired exports of all tenants. Returns their number. */
export async function forgetExports(em: Em, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update lineage_export set content = null, content_gzip = null
    where (content is not null or content_gzip is not null) and expires_at <= ${now.toISOString()}
  `.execute(em.getKysely());
  return Number(numAffectedRows ?? 0);
}

/** An attempt at a queued export that has not ended for this long belongs to a process that no longer runs. */
const ATTEMPT_MINUTES = 10;

/**
 * Takes up the oldest queued export of any tenant, and counts the attempt. Returns its uid; undefined if none is queued.
 * For workers.
 */
export async function takeQueuedExport(em: Em, now: Date): Promise<string | undefined> {
  const { rows } = await sql<{ uid: string }>`
    update lineage_export set state = 'running', attempts = attempts + 1, started_at = ${now.toISOString()}
    where uid = (
      select uid from lineage_export
      where state = 'queued' or (state = 'running'
        and started_at < ${now.toISOString()}::timestamptz - make_interval(mins => ${ATTEMPT_MINUTES}))
      order by uid limit 1 for update skip locked
    ) returning uid
  `.execute(em.getKysely());
  return rows[0]?.uid;
}
