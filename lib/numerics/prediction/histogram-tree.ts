/** A node: a leaf where `column` is -1. Rows at or below the threshold go to `left`; both are places in the tree. */
export type TreeNode = { column: number; threshold: number; left: number; right: number; value: number };

export type BinnedRows = {
  /** Bins column by column: those of column j stand from j n on. */
  bins: Uint8Array;
  thresholds: readonly Float64Array[];
  n: number;
};

export type TreeOptions = { depth: number; leafRowsMin: number };

/**
 * A regression tree of residuals on binned columns: each node is split where the squared error falls most, the first
 * column and threshold of equals, until `depth` or until a side would have fewer than `leafRowsMin` rows. A leaf is the
 * mean of its residuals.
 *
 * Sums go over the rows in their order, then over the bins from below. Errors: none.
 * Source: Friedman, "Greedy Function Approximation" (2001), algorithm 1; histograms by Ke and others, "LightGBM" (2017).
 */
export function histogramTree(rows: BinnedRows, residuals: Float64Array, options: TreeOptions): TreeNode[] {
  const nodes: TreeNode[] = [];
  const grow = (members: Int32Array, depth: number): number => {
    const at = nodes.length;
    let total = 0;
    for (const row of members) total += residuals[row]!;
    const leaf = { column: -1, threshold: 0, left: -1, right: -1, value: total / members.length };
    nodes.push(leaf);
    const split = depth < options.depth ? bestSplit(rows, residuals, members, total, options) : null;
    if (!split) return at;
    const { column, bin } = split;
    const isLeft = (row: number) => rows.bins[column * rows.n + row]! <= bin;
    const left = grow(members.filter(isLeft), depth + 1);
    const right = grow(
      members.filter((row) => !isLeft(row)),
      depth + 1,
    );
    nodes[at] = { column, threshold: rows.thresholds[column]![bin]!, left, right, value: 0 };
    return at;
  };
  grow(
    Int32Array.from({ length: rows.n }, (_, row) => row),
    0,
  );
  return nodes;
}

/** What a tree says of a row of columns. */
export function treeValue(nodes: readonly TreeNode[], row: ArrayLike<number>): number {
  let node = nodes[0]!;
  while (node.column >= 0) node = nodes[row[node.column]! <= node.threshold ? node.left : node.right]!;
  return node.value;
}

function bestSplit(
  { bins, thresholds, n }: BinnedRows,
  residuals: Float64Array,
  members: Int32Array,
  total: number,
  { leafRowsMin }: TreeOptions,
): { column: number; bin: number } | null {
  const whole = (total * total) / members.length;
  let best: { column: number; bin: number } | null = null;
  let most = whole + 1e-12 * Math.abs(whole);
  for (const [column, edges] of thresholds.entries()) {
    const sums = new Float64Array(edges.length + 1);
    const counts = new Int32Array(edges.length + 1);
    for (const row of members) {
      const bin = bins[column * n + row]!;
      sums[bin]! += residuals[row]!;
      counts[bin]! += 1;
    }
    let [sum, count] = [0, 0];
    for (let bin = 0; bin < edges.length; bin += 1) {
      sum += sums[bin]!;
      count += counts[bin]!;
      const others = members.length - count;
      if (count < leafRowsMin || others < leafRowsMin || counts[bin] === 0) continue;
      const gain = (sum * sum) / count + ((total - sum) * (total - sum)) / others;
      if (gain > most) [most, best] = [gain, { column, bin }];
    }
  }
  return best;
}
