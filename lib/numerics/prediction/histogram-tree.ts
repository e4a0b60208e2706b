/**
 * A node of a tree. A leaf has `column` -1. Rows at or below the threshold go to `left`, other rows to `right`. `left`
 * and `right` are indices of nodes in the tree.
 */
export type TreeNode = { column: number; threshold: number; left: number; right: number; value: number };

export type BinnedRows = {
  /** The bin of each value, column by column: the bins of column j start at index j n. */
  bins: Uint8Array;
  thresholds: readonly Float64Array[];
  n: number;
};

export type TreeOptions = { depth: number; leafRowsMin: number };

/**
 * Fits a regression tree of residuals on binned columns. Each node is split where the squared error decreases most;
 * ties go to the first column and threshold. Splitting stops at `depth`, or if a side of the split would have fewer
 * than `leafRowsMin` rows. The prediction of a leaf is the mean of its residuals.
 *
 * Shapes: `residuals` n; the result has as many predictions, one for each of these rows.
 * Sums run over the rows in order, then over the bins from below. Never throws.
 * Source: Friedman, "Greedy Function Approximation" (2001), algorithm 1; histograms by Ke and others, "LightGBM"
 * (2017).
 */
export function histogramTree(
  rows: BinnedRows,
  residuals: Float64Array,
  options: TreeOptions,
): { nodes: TreeNode[]; predicted: Float64Array } {
  const nodes: TreeNode[] = [];
  const predicted = new Float64Array(rows.n);
  const grow = (members: Int32Array, depth: number): number => {
    const at = nodes.length;
    const own = new Float64Array(members.length);
    let total = 0;
    for (let i = 0; i < members.length; i += 1) {
      own[i] = residuals[members[i]!]!;
      total += own[i]!;
    }
    const value = total / members.length;
    nodes.push({ column: -1, threshold: 0, left: -1, right: -1, value });
    const split = depth < options.depth ? bestSplit(rows, members, { own, total }, options) : null;
    if (!split) {
      for (const row of members) predicted[row] = value;
      return at;
    }
    const { column, bin } = split;
    const [below, above] = divided(rows, members, split);
    const left = grow(below, depth + 1);
    const right = grow(above, depth + 1);
    nodes[at] = { column, threshold: rows.thresholds[column]![bin]!, left, right, value: 0 };
    return at;
  };
  grow(
    Int32Array.from({ length: rows.n }, (_, row) => row),
    0,
  );
  return { nodes, predicted };
}

/** Returns the prediction of a tree for a row of columns. */
export function treeValue(nodes: readonly TreeNode[], row: ArrayLike<number>): number {
  let node = nodes[0]!;
  while (node.column >= 0) node = nodes[row[node.column]! <= node.threshold ? node.left : node.right]!;
  return node.value;
}

type Split = { column: number; bin: number };

function bestSplit(
  { bins, thresholds, n }: BinnedRows,
  members: Int32Array,
  { own, total }: { own: Float64Array; total: number },
  { leafRowsMin }: TreeOptions,
): Split | null {
  const whole = (total * total) / members.length;
  let best: Split | null = null;
  let max = whole + 1e-12 * Math.abs(whole);
  for (let column = 0; column < thresholds.length; column += 1) {
    const edges = thresholds[column]!.length;
    const { sums, counts } = histogramOf(
      bins.subarray(column * n, (column + 1) * n),
      members,
      own,
      edges + 1,
    );
    let [sum, count] = [0, 0];
    for (let bin = 0; bin < edges; bin += 1) {
      sum += sums[bin]!;
      count += counts[bin]!;
      const others = members.length - count;
      if (count < leafRowsMin || others < leafRowsMin || counts[bin] === 0) continue;
      const gain = (sum * sum) / count + ((total - sum) * (total - sum)) / others;
      if (gain > max) [max, best] = [gain, { column, bin }];
    }
  }
  return best;
}

function histogramOf(binned: Uint8Array, members: Int32Array, own: Float64Array, bins: number) {
  const [sums, counts] = [new Float64Array(bins), new Int32Array(bins)];
  for (let i = 0; i < members.length; i += 1) {
    const bin = binned[members[i]!]!;
    sums[bin]! += own[i]!;
    counts[bin]! += 1;
  }
  return { sums, counts };
}

/**
 * Divides rows at a bin of a column into the rows up to the bin and the rows above it. The order of the rows is kept.
 */
function divided({ bins, n }: BinnedRows, members: Int32Array, { column, bin }: Split) {
  const [below, above] = [new Int32Array(members.length), new Int32Array(members.length)];
  let [lower, upper] = [0, 0];
  for (let i = 0; i < members.length; i += 1) {
    const row = members[i]!;
    if (bins[column * n + row]! <= bin) below[lower++] = row;
    else above[upper++] = row;
  }
  return [below.subarray(0, lower), above.subarray(0, upper)] as const;
}
