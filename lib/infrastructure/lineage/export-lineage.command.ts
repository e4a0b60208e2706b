import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { defineCommand } from '#lib/governance/command.ts';
import { acquireNamedLock } from '#lib/governance/named-lock.query.ts';
import { composeResult, insertExport, noResult, type NewExport } from './export.write.ts';
import type { Graph } from './graph.ts';
import { EXPORT_DAYS, isSubject, requestHashOf, type ExportRequest } from './lineage-export.ts';
import type { LineageExport } from './lineage-export.entity.ts';
import { findOpenExport } from './lineage-exports.query.ts';
import { readGraphInTime } from './read-graph.query.ts';
import type { Reader } from './readable.ts';

type Input = {
  tenant: Tenant;
  request: ExportRequest;
  reader: Reader;
  /** Whether the caller waits no longer. The export is then queued for a worker. */
  isLate: () => boolean;
};

/** A request finds an equal request that is not built yet, no subject, no time, or the graph. */
type Found = { open: string } | { graph: Graph } | 'late' | undefined;

type Verdict =
  | { ok: true; graph: Graph | null }
  | { ok: false; code: 'subject_unknown' | 'export_in_progress'; open: string | undefined };

/** Decides about a request: an equal request that is not built yet refuses it, and a late graph is queued. */
export function decideExport(found: Found): Verdict {
  if (found === undefined) return { ok: false, code: 'subject_unknown', open: undefined };
  if (found === 'late') return { ok: true, graph: null };
  if ('open' in found) return { ok: false, code: 'export_in_progress', open: found.open };
  return { ok: true, graph: found.graph };
}

/**
 * Builds the lineage of a record from the records that the reader may see, and stores it as an export. Queues the export
 * if it is not built in time. Stores nothing if the subject does not exist or the reader may not see it, or if an equal
 * request is queued.
 */
export const exportLineage = defineCommand<Input>()({
  find: async (_em, { tenant }) => tenant,
  lock: (em, { request, reader }) => acquireNamedLock(em, 'lineage', requestHashOf(request, reader.scopes)),
  facts: async (em, _locked, input) => ({ found: await findExport(em, input) }),
  decide: ({ found }): Verdict => decideExport(found),
  async write(em, _facts, { graph }, { input: { request, reader, tenant }, now }) {
    const { subject, ...options } = request;
    const made: NewExport = {
      uid: newUid(prefixes.lineageExport),
      workspaceUid: tenant.workspace,
      environment: tenant.environment,
      subjectType: subject.type,
      subjectUid: subject.uid,
      ...options,
      requestHash: requestHashOf(request, reader.scopes),
      problemCode: null,
      createdAt: now,
      expiresAt: new Date(now.getTime() + EXPORT_DAYS * 86_400_000),
      ...(graph
        ? { ...(await composeResult(graph, request, tenant)), scopes: null }
        : { ...noResult, state: 'queued', scopes: [...reader.scopes].toSorted() }),
    };
    await insertExport(em, made);
    return { result: made };
  },
  entry: (_facts, verdict, { request: { subject, format } }, result) =>
    verdict.ok ? entryOf(result!, { of: subject.uid, format }) : undefined,
  refusals: {
    subject_unknown: 'The subject does not exist, or the credential may not read it.',
    export_in_progress: (_input, { open }) => `The export ${open} of the same lineage is not ready yet.`,
  },
});

async function findExport(em: Em, { request, reader, isLate }: Input): Promise<Found> {
  const { subject, direction, depth } = request;
  if (!isSubject(subject)) return undefined;
  const requestHash = requestHashOf(request, reader.scopes);
  const open = await findOpenExport(em, requestHash);
  if (open !== undefined) return { open };
  return readGraphInTime(em, { uid: subject.uid, direction, depth, reader }, isLate);
}

/** The members of an export that its audit entry needs. A queued export has no result. */
export type Noted = Pick<LineageExport, 'uid' | 'subjectUid' | 'format'> &
  Partial<Pick<LineageExport, 'contentHash' | 'nodes' | 'edges'>>;

/** Returns the audit entry of a queued or ready export. */
export function entryOf(
  { uid, contentHash, nodes, edges }: Noted,
  { of, format }: { of: string; format: string },
) {
  const subject = { type: 'lineage_export', uid };
  return contentHash
    ? {
        op: 'lineage_export.ready' as const,
        subject,
        payloadHash: contentHash,
        details: { of, format, nodes: nodes!, edges: edges! },
      }
    : { op: 'lineage_export.queued' as const, subject, details: { of, format } };
}
