import { isUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Em } from '#lib/database/base.ts';
import { isActivity, type Edge, type Gap, type Graph, type LineageNode, type NodeId } from './graph.ts';
import type { Reader } from './readable.ts';
import type { ValuesFacts } from './sources.query.ts';

/** Identifies a record to visit: a revision of a dataset as `dataset:<id>@<revision>`, otherwise a uid. */
export type Key = string;

/** The state of a walk through records. Nodes and edges have keys until the walk ends. */
export type Walk = {
  em: Em;
  reader: Reader;
  nodes: Map<Key, LineageNode>;
  edges: Map<string, Edge>;
  gaps: Map<string, Gap>;
  /**
   * Three sets of keys: keys whose records were read, keys whose records the reader may not see, and keys that have no
   * record to trace.
   */
  known: Set<Key>;
  hidden: Set<Key>;
  missing: Set<Key>;
  /** The import that made each visited revision of a dataset. */
  imports: Map<Key, NodeId>;
  /** The values of features that are known, by their keys. */
  features: Map<Key, ValuesFacts>;
};

/** The key of the values of a feature version at one revision. */
export function featureKey({ uid, revision }: Pick<ValuesFacts, 'uid' | 'revision'>): Key {
  return `${uid}@${revision}`;
}

export function datasetKey({ id, revision }: { id: number; revision: number }): Key {
  return `dataset:${id}@${revision}`;
}

export function datasetOfKey(key: Key): { id: number; revision: number } | undefined {
  const [, id, revision] = /^dataset:(\d+)@(\d+)$/.exec(key) ?? [];
  return id === undefined ? undefined : { id: Number(id), revision: Number(revision) };
}

export const isWorkflowRun = (key: Key) => isUid(key, prefixes.workflowRun);
export const isAnswer = (key: Key) => isUid(key, prefixes.qlmAnswer);
export const isPortfolio = (key: Key) => isUid(key, prefixes.portfolio);
export const isModel = (key: Key) => isUid(key, prefixes.lqmVersion);

export function addEdge({ edges }: Walk, edge: Edge): void {
  edges.set(`${edge.activity} ${edge.relation} ${edge.other}`, edge);
}

export function addGap({ nodes, gaps }: Walk, key: Key, reason: Gap['reason']): void {
  const node = nodes.get(key)?.id;
  if (node !== undefined) gaps.set(`${node} ${reason}`, { node, reason });
}

/** Returns the graph of a walk. Edges to records that were not read are left out. */
export function graphOf({ nodes, edges }: Walk, gaps: Iterable<Gap>, truncated: boolean): Graph {
  const find = (key: Key) => nodes.get(key) ?? nodes.get(key.replace(/^result\//, ''));
  const named = [...edges.values()].flatMap(({ activity, relation, other }) => {
    const [from, to] = [find(activity), find(other)];
    const isWhole = from && to && isActivity(from) && isActivity(to) === (relation === 'part');
    return isWhole ? [{ activity: from.id, relation, other: to.id }] : [];
  });
  const withColumns = [...nodes.values()].map((node) => {
    if (!('columns' in node) || node.columns === undefined) return node;
    const columns = Object.entries(node.columns).map(([name, sources]) => {
      const known = sources.flatMap(({ node: key, field }) => {
        const found = find(key);
        return found ? [{ node: found.id, field }] : [];
      });
      return [name, known] as const;
    });
    return { ...node, columns: Object.fromEntries(columns) };
  });
  return { nodes: withColumns, edges: named, gaps: [...gaps], truncated };
}
