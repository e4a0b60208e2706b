import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { sha256 } from '#lib/core/seal.ts';
import type { Tenant } from '#lib/database/base.ts';
import { defineCommand } from '#lib/governance/command.ts';
import { isActivity, stateHash, type Graph } from './graph.ts';
import { contentOf, EXPORT_DAYS, isSubject, type ExportRequest } from './lineage-export.ts';
import { LineageExport } from './lineage-export.entity.ts';
import { readGraph } from './read-graph.query.ts';
import type { Reader } from './readable.ts';

type Input = { tenant: Tenant; request: ExportRequest; reader: Reader };

type Verdict = { ok: true; graph: Graph } | { ok: false; code: 'subject_unknown' };

/**
 * Builds the lineage of a record from the records that the reader may see, and stores it as an export. Builds nothing if
 * the subject does not exist or the reader may not see it.
 */
export const exportLineage = defineCommand<Input>()({
  find: async (_em, { tenant }) => tenant,
  lock: async () => undefined,
  facts: async (em, _locked, { request: { subject, direction, depth }, reader }) => ({
    found: isSubject(subject)
      ? await readGraph(em, { uid: subject.uid, direction, depth, reader })
      : undefined,
  }),
  decide: ({ found }): Verdict =>
    found ? { ok: true, graph: found.graph } : { ok: false, code: 'subject_unknown' },
  async write(em, _facts, { graph }, { input: { request, tenant }, now }) {
    const content = contentOf(graph, request, tenant);
    const { subject, direction, depth, granularity, format, pinVersions } = request;
    const made = em.create(LineageExport, {
      uid: newUid(prefixes.lineageExport),
      workspaceUid: tenant.workspace,
      environment: tenant.environment,
      subjectType: subject.type,
      subjectUid: subject.uid,
      direction,
      depth,
      granularity,
      format,
      pinVersions,
      nodes: graph.nodes.length,
      edges: graph.edges.length,
      truncated: graph.truncated,
      hasColumns: graph.nodes.some((node) => !isActivity(node) && node.columns !== undefined),
      gaps: graph.gaps,
      stateHash: stateHash(graph),
      content,
      contentHash: sha256(content),
      createdAt: now,
      expiresAt: new Date(now.getTime() + EXPORT_DAYS * 86_400_000),
    });
    return { result: made };
  },
  entry: (_facts, verdict, { request: { subject, format } }, result) =>
    verdict.ok
      ? {
          op: 'lineage_export.ready',
          subject: { type: 'lineage_export', uid: result!.uid },
          payloadHash: result!.contentHash,
          details: { of: subject.uid, format, nodes: result!.nodes, edges: result!.edges },
        }
      : undefined,
  refusals: { subject_unknown: 'The subject does not exist, or the credential may not read it.' },
});
