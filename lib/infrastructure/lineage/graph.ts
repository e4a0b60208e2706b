import { canonicalHash } from '#lib/core/seal.ts';

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

/** A place where the graph ends although records exist, or where a record is not finished. */
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
    edges: edges.toSorted((one, other) => compare(textOf(one), textOf(other))),
    gaps: gaps.toSorted((one, other) => compare(textOf(one), textOf(other))),
    truncated,
  };
}

/** Returns the hash of the records behind a graph. Graphs with equal hashes have equal exports. */
export function stateHash(graph: Graph): string {
  return canonicalHash(ordered(graph));
}

function textOf(row: Edge | Gap): string {
  return 'relation' in row ? `${row.activity} ${row.relation} ${row.other}` : `${row.node} ${row.reason}`;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
