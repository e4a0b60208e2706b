import type { Tenant } from '#lib/database/base.ts';
import type { Direction, Graph } from './graph.ts';
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

/** Returns the text of an export: JSON lines of OpenLineage events, or a PROV-JSON document. */
export function contentOf(
  graph: Graph,
  { format, granularity, pinVersions }: ExportRequest,
  { workspace, environment }: Tenant,
): string {
  if (format === 'prov-json') return provOf(graph);
  const withColumns = granularity === 'column';
  const lines = openLineageOf(graph, { workspace, environment, pinVersions, withColumns });
  return lines.map((line) => `${line}\n`).join('');
}
