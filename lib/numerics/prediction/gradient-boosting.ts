import type { Matrix } from 'ml-matrix';
import { mean } from '../descriptive.ts';
import { binOf, binThresholds } from './histogram-bins.ts';
import { histogramTree, treeValue, type TreeNode, type TreeOptions } from './histogram-tree.ts';

export type GradientBoosting = { start: number; rate: number; trees: TreeNode[][] };

export type BoostingOptions = TreeOptions & { trees: number; rate: number; bins: number };

/**
 * Fits gradient boosting of squared errors with trees on fixed bins. Starting from the mean, each tree is fitted to the
 * residuals of the trees before it and added at the learning rate. Nothing is random: the same rows give the same
 * trees.
 *
 * Shapes: `x` n-by-k; `y` n. `bins` 2 to 255. Errors: `RangeError` on other bins, or on shapes that do not match.
 * Source: Friedman, "Greedy Function Approximation" (2001), with the bins of Ke and others, "LightGBM" (2017).
 *
 * Example: for y = [1, 3], one tree of depth 1 with rate 1 and leaves of one row predicts 1 and 3.
 */
export function gradientBoosting(x: Matrix, y: Float64Array, options: BoostingOptions): GradientBoosting {
  const { rows: n, columns: k } = x;
  if (n !== y.length || n < 1 || k < 1 || options.bins > 255)
    throw new RangeError('the numbers of rows, targets and bins do not match');
  const columns = Array.from({ length: k }, (_, j) => Float64Array.from(y, (_, i) => x.get(i, j)));
  const thresholds = columns.map((column) => binThresholds(column, options.bins));
  const bins = new Uint8Array(n * k);
  columns.forEach((column, j) =>
    column.forEach((value, i) => (bins[j * n + i] = binOf(value, thresholds[j]!))),
  );
  const start = mean(y);
  const residuals = Float64Array.from(y, (value) => value - start);
  const trees: TreeNode[][] = [];
  for (let at = 0; at < options.trees; at += 1) {
    const { nodes, predicted } = histogramTree({ bins, thresholds, n }, residuals, options);
    for (let i = 0; i < n; i += 1) residuals[i]! -= options.rate * predicted[i]!;
    trees.push(nodes);
  }
  return { start, rate: options.rate, trees };
}

/** Returns the prediction of all trees for a row of columns. */
export function boostedValue({ start, rate, trees }: GradientBoosting, row: ArrayLike<number>): number {
  let value = start;
  for (const tree of trees) value += rate * treeValue(tree, row);
  return value;
}
