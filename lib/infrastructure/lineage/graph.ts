import { canonicalJson, sha256 } from '#lib/core/seal.ts';

/** Identifies a node: a uid, a dataset with its revision (`dst_...@3`), or a result (`result/<uid of the run>`). */
export type NodeId = string;

/** The columns of a dataset that a recorded definition reads, by the column that is computed from them. */
export type ColumnEdges = Readonly<Record<string, { node: NodeId; field: string }[]>>;

/** A record that an activity reads or makes. */
export type Entity = {
  id: NodeId;
  type: 'dataset' | 'result' | 'model' | 'record';
  /** The uid of the record; for a dataset, without the revision. */
  uid: string;
  /** The kind of the record, such as `prices` or the kind of a run. */
  kind: string;
  /** The revision of a dataset, or the hash of a result or model. */
  version: string;
  columns?: ColumnEdges;
};

/** Work that reads and makes entities. Times are ISO 8601 in UTC. */
export type Activity = {
  id: NodeId;
  type: 'import' | 'run' | 'workflow_run';
  kind: string;
  state: 'open' | 'succeeded' | 'failed' | 'cancelled';
  startedAt: string;
  endedAt: string | null;
  problem: string | null;
  /** The workflow run of which this activity is a step. */
  parent: NodeId | null;
  /** The application that requested the work; null for imports. */
  application: string | null;
};

export type LineageNode = Entity | Activity;

/**
 * `used`: an activity read an entity. `generated`: an activity made an entity. `part`: an activity is part of another
 * activity.
 */
export type Edge = { activity: NodeId; relation: 'used' | 'generated' | 'part'; other: NodeId };

/**
 * A place where the graph ends although records exist, or where a record is not finished. `features_not_traced` is found
 * only in exports of earlier releases.
 */
export const gapReasons = ['open', 'not_entitled', 'not_traced', 'features_not_traced', 'depth'] as const;
export type Gap = { node: NodeId; reason: (typeof gapReasons)[number] };

export type Graph = {
  nodes: LineageNode[];
  edges: Edge[];
  gaps: Gap[];
  truncated: boolean;
};

export const directions = ['upstream', 'downstream', 'both'] as const;
export type Direction = (typeof directions)[number];

/** The largest number of nodes in a graph. */
export const NODES_MAX = 5_000;

export function isActivity(node: LineageNode): node is Activity {
  return node.type === 'import' || node.type === 'run' || node.type === 'workflow_run';
}

/** Orders a graph by ids, so that its exported texts depend on the records alone. */
export function ordered({ nodes, edges, gaps, truncated }: Graph): Graph {
  return {
    nodes: nodes.toSorted((one, other) => compare(one.id, other.id)),
    edges: sortedBy(edges, edgeText),
    gaps: sortedBy(gaps, gapText),
    truncated,
  };
}

/** Returns the hash of the records behind a graph. Graphs with equal hashes have equal exports. */
export function stateHash(graph: Graph): string {
  return sha256(canonicalGraph(graph));
}

/**
 * Returns the RFC 8785 form of the ordered graph. Members are written in the order of their names, which is several
 * times faster than sorting the names of thousands of nodes.
 */
function canonicalGraph(graph: Graph): string {
  const { nodes, edges, gaps, truncated } = ordered(graph);
  const [edgeTexts, gapTexts] = [
    edges.map(({ activity, relation, other }) => JSON.stringify({ activity, other, relation })),
    gaps.map(({ node, reason }) => JSON.stringify({ node, reason })),
  ];
  return `{"edges":[${edgeTexts.join(',')}],"gaps":[${gapTexts.join(',')}],"nodes":[${nodes.map(canonicalNode).join(',')}],"truncated":${truncated}}`;
}

function canonicalNode(node: LineageNode): string {
  if (!isActivity(node)) {
    const { columns, id, kind, type, uid, version } = node;
    return columns ? canonicalJson(node) : JSON.stringify({ id, kind, type, uid, version });
  }
  const { application, endedAt, id, kind, parent, problem, startedAt, state, type } = node;
  return JSON.stringify({ application, endedAt, id, kind, parent, problem, startedAt, state, type });
}

function sortedBy<T>(rows: readonly T[], text: (row: T) => string): T[] {
  return rows
    .map((row) => ({ row, text: text(row) }))
    .toSorted((one, other) => compare(one.text, other.text))
    .map(({ row }) => row);
}

const edgeText = ({ activity, relation, other }: Edge) => `${activity} ${relation} ${other}`;
const gapText = ({ node, reason }: Gap) => `${node} ${reason}`;

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
