import { canonicalHash, sha256 } from '#lib/core/seal.ts';
import type { Tenant } from '#lib/database/base.ts';
import { isActivity, stateHash, type Direction, type Graph } from './graph.ts';
import { openLineageOf } from './openlineage.ts';
import { provOf } from './prov.ts';

/** The uid prefixes for each type of subject. Null: any prefix, because each kind of run has its own. */
export const subjectPrefixes = {
  dataset: ['dst'],
  snapshot: ['rss'],
  run: null,
  model: ['lqm', 'lqv'],
  factor_run: ['tfr'],
  evidence_pack: ['epk'],
  obligation: ['obl'],
  batch: ['bat'],
  forecast: ['fct'],
  qlm_answer: ['qla'],
  workflow_run: ['wfr'],
} as const satisfies Record<string, readonly string[] | null>;

export type SubjectType = keyof typeof subjectPrefixes;
export const subjectTypes = Object.keys(subjectPrefixes) as SubjectType[];

export const granularities = ['dataset', 'column'] as const;
export type Granularity = (typeof granularities)[number];

export const exportFormats = ['openlineage-2-0-2', 'prov-json'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** The states of a stored export. A ready export whose time is over is shown as `expired`. */
export const storedStates = ['queued', 'running', 'ready', 'failed'] as const;
export type StoredState = (typeof storedStates)[number];

/** Whether an export is not built yet. */
export function isOpen(state: StoredState): boolean {
  return state === 'queued' || state === 'running';
}

/** Days for which the content of an export is kept. */
export const EXPORT_DAYS = 30;

export type ExportRequest = {
  subject: { type: SubjectType; uid: string };
  direction: Direction;
  depth: number;
  granularity: Granularity;
  format: ExportFormat;
  pinVersions: boolean;
};

/** Whether a uid has a prefix that is valid for its type of subject. */
export function isSubject({ type, uid }: ExportRequest['subject']): boolean {
  const prefixes: readonly string[] | null = subjectPrefixes[type];
  return prefixes === null || prefixes.includes(uid.slice(0, uid.indexOf('_')));
}

/** Identifies a request with the scopes of its caller. Equal requests have equal exports. */
export function requestHashOf(request: ExportRequest, scopes: ReadonlySet<string>): string {
  return canonicalHash({ ...request, scopes: [...scopes].toSorted() });
}

/** Returns the columns of a ready export that are derived from its graph and its content. */
export function resultOf(graph: Graph, content: string) {
  return {
    state: 'ready' as const,
    nodes: graph.nodes.length,
    edges: graph.edges.length,
    truncated: graph.truncated,
    hasColumns: graph.nodes.some((node) => !isActivity(node) && node.columns !== undefined),
    gaps: graph.gaps,
    stateHash: stateHash(graph),
    content,
    contentHash: sha256(content),
  };
}

/** Returns the text of an export: JSON lines of OpenLineage events, or a PROV-JSON document. */
export function contentOf(
  graph: Graph,
  { format, granularity, pinVersions }: ExportRequest,
  { workspace, environment }: Tenant,
): string {
  if (format === 'prov-json') return provOf(graph);
  const withColumns = granularity === 'column';
  const lines = openLineageOf(graph, { workspace, environment, pinVersions, withColumns });
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}
