import Type, { type Static } from 'typebox';
import { invalid, Problem } from '#lib/core/problem.ts';
import { Closed, ListOf, pageQuery } from '#lib/core/schema.ts';
import { exportLineage } from '#lib/infrastructure/lineage/export-lineage.command.ts';
import { isSubject } from '#lib/infrastructure/lineage/lineage-export.ts';
import {
  findLineageExport,
  listLineageExports,
  type FoundExport,
  type ListedExport,
} from '#lib/infrastructure/lineage/lineage-exports.query.ts';
import { runs } from '#lib/runs.ts';
import { listReply } from '../http/page.ts';
import { appliedPreference, RETRY_AFTER_S } from '../runs.ts';
import { defineFile, defineOperation } from '../services.ts';
import { tenantOf } from '../tenant.ts';
import {
  LineageExportRequest,
  LineageExportResource,
  LineageExportSummary,
} from './lineage-export.schema.ts';

const PATH = '/infrastructure/lineage-exports';
const LINES = 'application/x-ndjson';
const BYTES_INLINE = 1_048_576;

export const createLineageExport = defineOperation({
  key: 'infrastructure.lineage_exports.create',
  product: 'Infrastructure',
  method: 'POST',
  path: PATH,
  scope: 'infrastructure:lineage',
  summary: 'Exports where a record comes from and what it leads to.',
  description:
    'Builds the lineage from stored records alone: imports, revisions of datasets, runs, sealed results, models, ' +
    'workflow runs. Unchanged records give the same bytes. Records whose scope the credential lacks are left ' +
    'out, and `gaps` lists these places. Exports OpenLineage 2-0-2 run events, or PROV-JSON. Answers 201 with the ' +
    'finished export, or 202 if the wait ends before the export is built; a worker then builds it. The export changes no other record.',
  body: LineageExportRequest,
  success: { status: 201, description: 'The export.', schema: LineageExportResource },
  accepted: LineageExportResource,
  problems: ['not_found', 'export_in_progress', 'idempotency_in_progress', 'idempotency_key_reused'],
  async handle(call) {
    const { services, caller, body, prefer } = call;
    const request = requestOf(body);
    if (!isSubject(request.subject)) {
      const message = `must be the uid of a record of the type ${request.subject.type}`;
      throw invalid([{ pointer: '/subject/uid', in: 'body', code: 'prefix', message }]);
    }
    const reader = { scopes: caller.scopes, scopeOfRun };
    const limitMs = prefer.waitMs ?? (prefer.respondAsync ? 0 : services.runs.waitMs);
    const endsAt = performance.now() + limitMs;
    const isLate = () => performance.now() >= endsAt;
    return services.govern(
      call,
      exportLineage,
      { tenant: tenantOf(caller), request, reader, isLate },
      {
        present: ({ result, at }) => {
          const isReady = result.state === 'ready';
          const headers = {
            Location: `/api/v2${PATH}/${result.uid}`,
            ...appliedPreference(prefer, isReady),
            ...(!isReady && { 'Retry-After': RETRY_AFTER_S }),
          };
          return { status: isReady ? 201 : 202, headers, body: present(result, at) };
        },
        refuse: (refused) =>
          'open' in refused && refused.open !== undefined
            ? new Problem('export_in_progress', refused.detail, {
                members: { uid: refused.open },
                headers: { Location: `/api/v2${PATH}/${refused.open}` },
              })
            : new Problem('not_found', refused.detail),
      },
    );
  },
});

const scopeOfRun = Object.fromEntries(Object.values(runs).map(({ key, scope }) => [key, scope]));

export const listExports = defineOperation({
  key: 'infrastructure.lineage_exports.list',
  product: 'Infrastructure',
  method: 'GET',
  path: PATH,
  scope: 'infrastructure:lineage',
  addition: true,
  summary: 'Lists the exports of lineage, newest first.',
  description: 'Returns the exports of the workspace and environment, without their contents.',
  query: Closed(pageQuery),
  success: { status: 200, description: 'A page of exports.', schema: ListOf(LineageExportSummary) },
  problems: ['invalid_cursor'],
  handle: ({ services, query }) => {
    const now = services.clock.now();
    return listReply(services, query, {
      list: PATH,
      filters: {},
      rows: listLineageExports,
      present: (row) => presentSummary(row, now),
      hasLargeRows: true,
    });
  },
});

export const getLineageExport = defineFile({
  key: 'infrastructure.lineage_exports.get',
  product: 'Infrastructure',
  method: 'GET',
  path: '/infrastructure/lineage-exports/{uid}',
  scope: 'infrastructure:lineage',
  summary: 'Returns an export of lineage.',
  description:
    'Content of at most 1 MiB is included in the answer. `download=1` returns the content alone: OpenLineage events as ' +
    'JSON lines, or the PROV-JSON document. The content is deleted after 30 days.',
  query: Closed({
    download: Type.Optional(
      Type.Enum(['1'], { description: 'Returns the content alone, with its own media type.' }),
    ),
  }),
  success: { status: 200, description: 'The export.', schema: LineageExportResource },
  files: {
    [LINES]: { description: 'The content, with `download=1`.', example: '{"eventType":"START"}\n' },
  },
  problems: ['not_found'],
  async handle({ services, params, query, fail }) {
    const found =
      (await services.lookUp(findLineageExport, params.uid)) ??
      fail('not_found', 'There is no such export of lineage.');
    const now = services.clock.now();
    if (query.download === undefined) return { status: 200, body: present(found, now) };
    const content =
      contentAt(found, now) ??
      fail('not_found', 'The export has no content: it is not ready, it failed, or it has expired.');
    const isProv = found.format === 'prov-json';
    return {
      file: Buffer.from(content, 'utf8'),
      type: isProv ? 'application/json' : LINES,
      name: `${found.uid}.${isProv ? 'json' : 'ndjson'}`,
    };
  },
});

function requestOf(body: Static<typeof LineageExportRequest>) {
  const { subject, direction = 'both', depth = 5, granularity = 'dataset', format } = body;
  return { subject, direction, depth, granularity, format, pinVersions: body.pin_versions ?? false };
}

function contentAt(
  { content, expiresAt }: Pick<FoundExport, 'content' | 'expiresAt'>,
  now: Date,
): string | null {
  return now >= expiresAt ? null : content;
}

function present(row: FoundExport, now: Date): LineageExportResource {
  const content = contentAt(row, now);
  const isInline = content !== null && Buffer.byteLength(content) <= BYTES_INLINE;
  const isProv = row.format === 'prov-json';
  return {
    ...presentSummary(row, now),
    events:
      isInline && !isProv
        ? content
            .split('\n')
            .filter(Boolean)
            .map((line) => JSON.parse(line))
        : null,
    document: isInline && isProv ? JSON.parse(content) : null,
    download:
      content === null
        ? null
        : { path: `/api/v2${PATH}/${row.uid}?download=1`, expires_at: row.expiresAt.toISOString() },
  };
}

function presentSummary(row: ListedExport, now: Date): LineageExportSummary {
  return {
    uid: row.uid,
    state: now >= row.expiresAt ? 'expired' : row.state,
    failure: (row.problemCode ?? null) as LineageExportSummary['failure'],
    subject: { type: row.subjectType, uid: row.subjectUid },
    direction: row.direction,
    depth: row.depth,
    granularity: row.granularity,
    format: row.format,
    pin_versions: row.pinVersions,
    nodes: row.nodes ?? null,
    edges: row.edges ?? null,
    truncated: row.truncated ?? null,
    truncation_reason: row.truncated ? 'too_many_nodes' : null,
    state_hash: row.stateHash ?? null,
    events_sha256: row.contentHash ?? null,
    column_lineage_available: row.hasColumns ?? null,
    gaps: row.gaps ?? [],
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
  };
}
