import { isActivity, ordered, type Graph, type LineageNode, type NodeId } from './graph.ts';

/** Returns the upstream and downstream lineage of a node as indented lines of text. A repeated node is not expanded. */
export function lineageTree(graph: Graph, subject: NodeId): string[] {
  const { nodes, edges, gaps } = ordered(graph);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const up = new Map<NodeId, NodeId[]>();
  const down = new Map<NodeId, NodeId[]>();
  const add = (from: NodeId, to: NodeId) => {
    (down.get(from) ?? down.set(from, []).get(from)!).push(to);
    (up.get(to) ?? up.set(to, []).get(to)!).push(from);
  };
  for (const { activity, relation, other } of edges) {
    if (relation === 'used') add(other, activity);
    else add(activity, other);
  }
  const lines = [describe(byId.get(subject)!)];
  for (const [title, next] of [
    ['comes from', up],
    ['leads to', down],
  ] as const) {
    const seen = new Set<NodeId>([subject]);
    if (!next.has(subject)) continue;
    lines.push(`${title}:`);
    const walk = (id: NodeId, before: string): void => {
      const following = (next.get(id) ?? []).filter((each) => byId.has(each));
      for (const [at, each] of following.entries()) {
        const isLast = at === following.length - 1;
        const isKnown = seen.has(each);
        seen.add(each);
        lines.push(
          `${before}${isLast ? '└─ ' : '├─ '}${describe(byId.get(each)!)}${isKnown ? ' (above)' : ''}`,
        );
        if (!isKnown) walk(each, `${before}${isLast ? '   ' : '│  '}`);
      }
    };
    walk(subject, '');
  }
  return [...lines, ...gaps.map(({ node, reason }) => `gap at ${node}: ${reason}`)];
}

function describe(node: LineageNode): string {
  if (isActivity(node)) return `${node.type} ${node.id} ${node.kind}, ${node.state}`;
  const version = node.type === 'dataset' ? `revision ${node.version}` : node.version.slice(0, 12);
  return `${node.type} ${node.uid} ${node.kind}, ${version}`;
}
