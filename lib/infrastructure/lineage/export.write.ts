import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { sql } from 'kysely';
import { defer, type Em, type Tenant } from '#lib/database/base.ts';
import type { Gap, Graph } from './graph.ts';
import { contentOf, resultOf, type ExportRequest } from './lineage-export.ts';
import type { LineageExport } from './lineage-export.entity.ts';

const compress = promisify(gzip);

/**
 * The level of compression. The texts repeat themselves, so the fastest level already makes them several times smaller,
 * in a fraction of the time that the database would take to compress them.
 */
const LEVEL = 1;

export type ExportResult = ReturnType<typeof resultOf> & { contentGzip: Buffer };

/** Composes the result of an export. Another thread compresses the content while this thread computes the hashes. */
export async function composeResult(
  graph: Graph,
  request: ExportRequest,
  tenant: Tenant,
): Promise<ExportResult> {
  const content = contentOf(graph, request, tenant);
  const compressing = compress(content, { level: LEVEL });
  const result = resultOf(graph, content);
  return { ...result, contentGzip: await compressing };
}

/** The members of an export that is not built yet in place of those of its result. */
export const noResult = {
  nodes: null,
  edges: null,
  truncated: null,
  hasColumns: null,
  gaps: null,
  stateHash: null,
  content: null,
  contentHash: null,
  contentGzip: null,
} as const satisfies Record<keyof Omit<ExportResult, 'state'>, null>;

/** A new export: ready with its result, or queued with the scopes of its caller. */
export type NewExport = Omit<LineageExport, keyof ExportResult | 'scopes' | 'attempts' | 'startedAt'> &
  ((ExportResult & { scopes: null }) | (typeof noResult & { state: 'queued'; scopes: string[] }));

/** Stores a new export. The statement is sent with the next statement of the transaction. */
export async function insertExport(em: Em, made: NewExport): Promise<void> {
  await defer(
    em,
    sql`
      insert into lineage_export (uid, workspace_uid, environment, subject_type, subject_uid, direction, depth,
        granularity, format, pin_versions, state, request_hash, scopes, nodes, edges, truncated, has_columns, gaps,
        state_hash, content_gzip, content_hash, created_at, expires_at)
      values (${made.uid}, ${made.workspaceUid}, ${made.environment}, ${made.subjectType}, ${made.subjectUid},
        ${made.direction}, ${made.depth}, ${made.granularity}, ${made.format}, ${made.pinVersions}, ${made.state},
        ${made.requestHash}, ${made.scopes}::text[], ${made.nodes}, ${made.edges},
        ${made.truncated}, ${made.hasColumns}, ${jsonOf(made.gaps)}::jsonb, ${made.stateHash},
        ${made.contentGzip}, ${made.contentHash}, ${made.createdAt}, ${made.expiresAt})
    `,
  );
}

/** Stores the result of a queued export. The statement is sent with the next statement of the transaction. */
export async function storeResult(em: Em, uid: string, result: ExportResult): Promise<void> {
  await defer(
    em,
    sql`
      update lineage_export set state = ${result.state}, nodes = ${result.nodes}, edges = ${result.edges},
        truncated = ${result.truncated}, has_columns = ${result.hasColumns}, gaps = ${jsonOf(result.gaps)}::jsonb,
        state_hash = ${result.stateHash}, content_gzip = ${result.contentGzip},
        content_hash = ${result.contentHash}
      where uid = ${uid}
    `,
  );
}

function jsonOf(gaps: readonly Gap[] | null): string | null {
  return gaps && JSON.stringify(gaps);
}
