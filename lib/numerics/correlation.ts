import { powerOfTwo } from './power-of-two.ts';
import { averageRanks } from './average-ranks.ts';

/**
 * Returns the product-moment correlation of pairs, within -1..1: sum (x - mx)(y - my) / sqrt(sum (x - mx)^2 sum (y -
 * my)^2), in two passes. Returns null with fewer than 2 pairs, or if either side is constant. Throws a `RangeError` if
 * the lengths differ, or if a value is not finite.
 * Source: Pearson, "Notes on regression and inheritance" (1895).
 *
 * Each side is first scaled near 1 by a power of two, so that neither squares nor products leave the range of a double.
 *
 * Example: `pearson([1, 2, 3], [2, 4, 7])` is 0.9933992677987828.
 */
export function pearson(x: ArrayLike<number>, y: ArrayLike<number>): number | null {
  return correlationMatrix([x, y])[0]![1]!;
}

/**
 * Returns the correlations of columns with each other, each equal to `pearson` to the bit. A column has correlation 1
 * with itself. The correlations of a constant column are null. Errors: see `pearson`.
 *
 * Example: `correlationMatrix([[1, 2, 3], [2, 4, 7]])[0][1]` is 0.9933992677987828.
 */
export function correlationMatrix(columns: readonly ArrayLike<number>[]): (number | null)[][] {
  const length = columns[0]?.length ?? 0;
  for (const column of columns) {
    if (column.length !== length)
      throw new RangeError(`${length} values cannot be paired with ${column.length}`);
  }
  const centres = columns.map(centreOf);
  const varying = columns.flatMap((column, at) =>
    centres[at] ? [{ at, column, centre: centres[at]! }] : [],
  );
  const sums = productSums(varying, length);
  const found = columns.map(() => columns.map((): number | null => null));
  for (const [i, { at: a }] of varying.entries()) {
    found[a]![a] = 1;
    for (const [j, { at: b }] of varying.slice(0, i).entries()) {
      const scale = Math.sqrt(sums[i]![i]! * sums[j]![j]!);
      found[a]![b] = found[b]![a] = Math.max(-1, Math.min(1, sums[i]![j]! / scale));
    }
  }
  return found;
}

/** Pairs per block, so that their deviations stay in cache while they are multiplied. */
const BLOCK = 1_024;

/**
 * Returns the sums of the products of deviations: element [i][j], with j <= i, is for columns i and j. Each sum starts at
 * 0 and adds the products in the order of the pairs.
 */
function productSums(
  columns: readonly { column: ArrayLike<number>; centre: Centre }[],
  length: number,
): Float64Array[] {
  const sums = columns.map((_, at) => new Float64Array(at + 1));
  const blocks = columns.map(() => new Float64Array(Math.min(BLOCK, length)));
  for (let start = 0; start < length; start += BLOCK) {
    const count = Math.min(BLOCK, length - start);
    for (const [at, { column, centre }] of columns.entries()) {
      deviations(column, start, centre, count, blocks[at]!);
      addProducts(sums[at]!, blocks, at, count);
    }
  }
  return sums;
}

/**
 * Adds the products of one block of a column: with itself, and with the same block of the columns before it. Processes
 * four columns at a time, because their sums are independent. If fewer than four columns are left, the last column is
 * computed more than once, with the same result each time.
 */
function addProducts(sums: Float64Array, blocks: readonly Float64Array[], own: number, count: number): void {
  const a = blocks[own]!;
  for (let next = 0; next <= own; next += 4) {
    const [second, third, fourth] = [1, 2, 3].map((on) => Math.min(next + on, own)) as [
      number,
      number,
      number,
    ];
    const [b, c, d, e] = [blocks[next]!, blocks[second]!, blocks[third]!, blocks[fourth]!];
    let [withB, withC, withD, withE] = [sums[next]!, sums[second]!, sums[third]!, sums[fourth]!];
    for (let at = 0; at < count; at += 1) {
      const value = a[at]!;
      withB += value * b[at]!;
      withC += value * c[at]!;
      withD += value * d[at]!;
      withE += value * e[at]!;
    }
    [sums[next], sums[second], sums[third], sums[fourth]] = [withB, withC, withD, withE];
  }
}

/**
 * Returns the rank correlation of pairs: Pearson's correlation of their average ranks, valid with ties. Returns null
 * and throws in the same cases as `pearson`. Source: Spearman, "The Proof and Measurement of Association between Two
 * Things" (1904).
 *
 * Example: `spearman([1, 2, 3, 4], [1, 3, 2, 9])` is 0.8.
 */
export function spearman(x: ArrayLike<number>, y: ArrayLike<number>): number | null {
  return pearson(averageRanks(x), averageRanks(y));
}

/**
 * Factor that scales the largest doubles, so that the sum of a billion values does not overflow. The factor is a power
 * of two, so scaling is exact.
 */
const DOWN = powerOfTwo(-40);
const UNIT_MAX = powerOfTwo(1000);
const HUGE = Number.MAX_VALUE * DOWN;

/** The values that convert a value to its scaled deviation from the mean: `(value * down - middle - rest) * unit`. */
type Centre = { down: number; middle: number; rest: number; unit: number };

/**
 * Returns the centre of a column; null with fewer than 2 values, or if all are equal. Centring twice removes
 * the rounding error of the first mean. Centring is exact for ranks, so a rank correlation of 0 is exactly 0.
 * The unit is a power of two near the largest deviation. The smallest or the largest value has this
 * deviation.
 */
function centreOf(values: ArrayLike<number>): Centre | null {
  const n = values.length;
  let [min, greatest, total] = [Infinity, -Infinity, 0];
  for (let at = 0; at < n; at += 1) {
    const value = values[at]!;
    if (!(Math.abs(value) < Infinity)) throw new RangeError(`not a finite number: ${value}`);
    if (value < min) min = value;
    if (value > greatest) greatest = value;
    total += value;
  }
  if (!(min < greatest)) return null;
  const down = Math.max(-min, greatest) > HUGE ? DOWN : 1;
  if (down !== 1) {
    total = 0;
    for (let at = 0; at < n; at += 1) total += values[at]! * down;
  }
  const middle = total / n;
  let rest = 0;
  for (let at = 0; at < n; at += 1) rest += values[at]! * down - middle;
  rest /= n;
  const largest = Math.max(middle - min * down + rest, greatest * down - middle - rest);
  return { down, middle, rest, unit: unitOf(largest) };
}

function deviations(
  values: ArrayLike<number>,
  start: number,
  { down, middle, rest, unit }: Centre,
  count: number,
  out: Float64Array,
): void {
  for (let at = 0; at < count; at += 1) out[at] = (values[start + at]! * down - middle - rest) * unit;
}

/** Returns the power of two, at most 2^1000, that scales a positive number to 0.5 or more and below 1. */
function unitOf(value: number): number {
  let unit = 1;
  while (value * unit < 0.5 && unit < UNIT_MAX) unit *= 2;
  while (value * unit >= 1) unit *= 0.5;
  return unit;
}
