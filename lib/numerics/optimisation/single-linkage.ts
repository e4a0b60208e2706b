/**
 * A merge of the clusters `left` < `right`, which have this distance. Leaves are 0 to K - 1; merge m makes
 * cluster K + m.
 */
export type Merge = { left: number; right: number; distance: number };

/**
 * Returns the K - 1 merges of single-linkage clustering, nearest first. Edges of the spanning tree with equal
 * distances are merged in the order of the smaller leaf, then the larger, so ties depend only on the order of
 * the leaves.
 *
 * Shapes: `distance(a, b)` is symmetric, for leaves 0 to `count` - 1.
 * Errors: `RangeError` on a distance that is NaN.
 * Source: Gower and Ross, "Minimum Spanning Trees and Single Linkage Cluster Analysis" (1969); the spanning
 * tree by Prim (1957).
 *
 * Example: leaves at 0, 10 and 11 merge 1 with 2 at distance 1, then leaf 0 with that cluster at distance 10.
 */
export function singleLinkage(count: number, distance: (a: number, b: number) => number): Merge[] {
  const edges = spanningTree(count, distance);
  edges.sort((a, b) => a.distance - b.distance || a.low - b.low || a.high - b.high);
  const cluster = Array.from({ length: count }, (_, leaf) => leaf);
  const parent = Array.from({ length: count }, (_, leaf) => leaf);
  const rootOf = (leaf: number): number => {
    let root = leaf;
    while (parent[root] !== root) root = parent[root]!;
    for (let at = leaf; at !== root;) [at, parent[at]] = [parent[at]!, root];
    return root;
  };
  return edges.map(({ low, high, distance: at }, step) => {
    const [one, other] = [rootOf(low), rootOf(high)];
    const [a, b] = [cluster[one]!, cluster[other]!];
    parent[other] = one;
    cluster[one] = count + step;
    return { left: Math.min(a, b), right: Math.max(a, b), distance: at };
  });
}

/**
 * Returns the leaves of the tree from left to right. Without merges, returns the leaf 0 if `count` is 1, and
 * no leaves if `count` is 0.
 */
export function leafOrder(count: number, merges: readonly Merge[]): number[] {
  if (count === 0) return [];
  const leaves: number[] = [];
  const open = [count + merges.length - 1];
  while (open.length > 0) {
    const cluster = open.pop()!;
    if (cluster < count) leaves.push(cluster);
    else open.push(merges[cluster - count]!.right, merges[cluster - count]!.left);
  }
  return leaves;
}

type Edge = { low: number; high: number; distance: number };

function spanningTree(count: number, distance: (a: number, b: number) => number): Edge[] {
  const nearest = new Float64Array(count).fill(Infinity);
  const from = new Int32Array(count);
  const isIn = new Uint8Array(count);
  const edges: Edge[] = [];
  for (let added = 0, step = 1; step < count; step += 1) {
    isIn[added] = 1;
    let next = -1;
    for (let leaf = 0; leaf < count; leaf += 1) {
      if (isIn[leaf]) continue;
      const away = distance(Math.min(added, leaf), Math.max(added, leaf));
      if (Number.isNaN(away)) throw new RangeError(`the distance of ${added} and ${leaf} is not a number`);
      if (away < nearest[leaf]!) [nearest[leaf], from[leaf]] = [away, added];
      if (next < 0 || nearest[leaf]! < nearest[next]!) next = leaf;
    }
    const [low, high] = [Math.min(from[next]!, next), Math.max(from[next]!, next)];
    edges.push({ low, high, distance: nearest[next]! });
    added = next;
  }
  return edges;
}
