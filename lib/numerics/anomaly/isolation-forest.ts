import { ln } from '../natural-log.ts';
import { powerOfTwo } from '../power-of-two.ts';
import { exp } from '../exponential.ts';
import { PHILOX_DOMAINS } from '../philox.ts';
import { uniformStream } from '../uniform-stream.ts';
import type { FittedDetector, Scores, Table } from './table.ts';

const EULER = 0.5772156649015329;
const LN_2 = 0.6931471805599453;

export type ForestOptions = { trees?: number; sample?: number; seed?: number };

type Tree = { feature: Int32Array; split: Float64Array; left: Int32Array; size: Int32Array };

/**
 * Fits an isolation forest. A row is unusual if few random splits separate it from a sample of the reference. The score
 * is 2^(-mean depth / c(sample)), near 1 for the most unusual and below 0.5 for usual rows.
 *
 * The number of a tree is the counter of its random draws, in the resampling domain. The forest therefore does not
 * depend on the order in which trees are grown. Source: Liu, Ting and Zhou, "Isolation Forest" (ICDM 2008).
 */
export function fitIsolationForest(reference: Table, options: ForestOptions = {}): FittedDetector {
  const { trees = 100, sample = 256, seed = 0 } = options;
  const rows = reference.values.length / reference.dimensions;
  const size = Math.min(sample, rows);
  const forest = Array.from({ length: trees }, (_, tree) =>
    grow(reference, size, uniformStream({ seed, domain: PHILOX_DOMAINS.resampling, sample: tree })),
  );
  const usual = averageDepth(size);
  const score = (table: Table): Scores => ({
    scores: Float64Array.from({ length: table.values.length / table.dimensions }, (_, row) => {
      const point = table.values.subarray(row * table.dimensions, (row + 1) * table.dimensions);
      let depth = 0;
      for (const tree of forest) depth += depthOf(tree, point);
      return usual > 0 ? twoTo(-depth / trees / usual) : 0.5;
    }),
  });
  return { reference: () => score(reference), score };
}

function grow({ values, dimensions }: Table, size: number, draw: () => number): Tree {
  const rows = values.length / dimensions;
  const pool = Int32Array.from({ length: rows }, (_, row) => row);
  for (let at = 0; at < size; at += 1) {
    const other = at + Math.floor(draw() * (rows - at));
    [pool[at], pool[other]] = [pool[other]!, pool[at]!];
  }
  const deepest = Math.ceil(ln(Math.max(size, 2)) / LN_2);
  const tree = {
    feature: [] as number[],
    split: [] as number[],
    left: [] as number[],
    size: [] as number[],
  };
  const waiting: { node: number; rows: Int32Array; depth: number }[] = [];
  const add = (members: Int32Array, depth: number) => {
    const node = tree.size.push(members.length) - 1;
    tree.feature.push(-1);
    tree.split.push(0);
    tree.left.push(-1);
    if (depth < deepest && members.length > 1) waiting.push({ node, rows: members, depth });
    return node;
  };
  add(pool.subarray(0, size), 0);
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { node, rows: members, depth } = next;
    const cut = cutOf(values, dimensions, members, draw);
    if (!cut) continue;
    tree.feature[node] = cut.feature;
    tree.split[node] = cut.split;
    const below = (row: number) => values[row * dimensions + cut.feature]! < cut.split;
    tree.left[node] = add(members.filter(below), depth + 1);
    add(
      members.filter((row) => !below(row)),
      depth + 1,
    );
  }
  return {
    feature: Int32Array.from(tree.feature),
    split: Float64Array.from(tree.split),
    left: Int32Array.from(tree.left),
    size: Int32Array.from(tree.size),
  };
}

/** Draws a column that varies and a threshold within its range; undefined if all rows are equal. */
function cutOf(values: Float64Array, dimensions: number, rows: Int32Array, draw: () => number) {
  const ranges = Array.from({ length: dimensions }, (_, feature) => {
    let [low, high] = [Infinity, -Infinity];
    for (const row of rows) {
      const value = values[row * dimensions + feature]!;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    return { feature, low, high };
  }).filter(({ low, high }) => high > low);
  const chosen = ranges[Math.floor(draw() * ranges.length)];
  if (!chosen) return undefined;
  const split = chosen.low + draw() * (chosen.high - chosen.low);
  return { feature: chosen.feature, split: split > chosen.low ? split : chosen.high };
}

function depthOf(tree: Tree, point: Float64Array): number {
  let [node, depth] = [0, 0];
  while (tree.left[node]! >= 0) {
    const feature = tree.feature[node]!;
    node = tree.left[node]! + (point[feature]! < tree.split[node]! ? 0 : 1);
    depth += 1;
  }
  return depth + averageDepth(tree.size[node]!);
}

/** Returns the average depth of an unsuccessful search in a binary search tree of n values. */
function averageDepth(n: number): number {
  if (n <= 1) return 0;
  return n === 2 ? 1 : 2 * (ln(n - 1) + EULER) - (2 * (n - 1)) / n;
}

function twoTo(x: number): number {
  const whole = Math.floor(x);
  return powerOfTwo(whole) * exp((x - whole) * LN_2);
}
