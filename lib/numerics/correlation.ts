import { powerOfTwo } from './power-of-two.ts';
import { averageRanks } from './average-ranks.ts';

/**
 * Product-moment correlation of pairs, within -1..1: sum (x - mx)(y - my) / sqrt(sum (x - mx)^2 sum (y - my)^2), in two
 * passes. Null with fewer than 2 pairs, and where either side does not vary. Throws a `RangeError` where the lengths
 * differ, and on values that are not finite. Source: Pearson, "Notes on regression and inheritance" (1895).
 *
 * Each side is brought near 1 by a power of two first, so that neither squares nor products leave the range of a double.
 *
 * Example: `pearson([1, 2, 3], [2, 4, 7])` is 0.9933992677987828.
 */
export function pearson(x: ArrayLike<number>, y: ArrayLike<number>): number | null {
  if (x.length !== y.length) throw new RangeError(`${x.length} values cannot be paired with ${y.length}`);
  const [a, b] = [deviations(x), deviations(y)];
  return a && b && coefficient(products(a, [b])[0]!, a, b);
}

/**
 * The correlations of columns with one another, each as `pearson` gives it to the bit; 1 of a column with itself, and
 * null where a column does not vary. Errors as `pearson`.
 *
 * Example: `correlationMatrix([[1, 2, 3], [2, 4, 7]])[0][1]` is 0.9933992677987828.
 */
export function correlationMatrix(columns: readonly ArrayLike<number>[]): (number | null)[][] {
  const centred = columns.map((column) => {
    if (column.length !== columns[0]!.length)
      throw new RangeError(`${columns[0]!.length} values cannot be paired with ${column.length}`);
    return deviations(column);
  });
  const found: (number | null)[][] = centred.map(() => []);
  for (const [i, a] of centred.entries()) {
    found[i]![i] = a && 1;
    const others = centred.slice(0, i).filter((b) => b !== null);
    const crossed = a ? products(a, others) : [];
    for (let j = 0; j < i; j += 1)
      found[i]![j] = found[j]![i] = a && centred[j]! && coefficient(crossed.shift()!, a, centred[j]!);
  }
  return found;
}

function coefficient(product: number, x: Deviations, y: Deviations): number {
  return Math.max(-1, Math.min(1, product / Math.sqrt(x.squares * y.squares)));
}

/** The sum of the products with each of the others, in order from 0. Four at a time: their sums do not wait for one another. */
function products({ values: a }: Deviations, others: readonly Deviations[]): number[] {
  const found: number[] = [];
  let next = 0;
  for (; next + 4 <= others.length; next += 4) {
    const [b, c, d, e] = others.slice(next, next + 4).map(({ values }) => values) as [
      Float64Array,
      Float64Array,
      Float64Array,
      Float64Array,
    ];
    let [withB, withC, withD, withE] = [0, 0, 0, 0];
    for (let at = 0; at < a.length; at += 1) {
      const value = a[at]!;
      withB += value * b[at]!;
      withC += value * c[at]!;
      withD += value * d[at]!;
      withE += value * e[at]!;
    }
    found.push(withB, withC, withD, withE);
  }
  for (; next < others.length; next += 1) {
    const b = others[next]!.values;
    let total = 0;
    for (let at = 0; at < a.length; at += 1) total += a[at]! * b[at]!;
    found.push(total);
  }
  return found;
}

/**
 * Rank correlation of pairs: Pearson's of their average ranks, which holds with ties. Null and errors as `pearson`.
 * Source: Spearman, "The Proof and Measurement of Association between Two Things" (1904).
 *
 * Example: `spearman([1, 2, 3, 4], [1, 3, 2, 9])` is 0.8.
 */
export function spearman(x: ArrayLike<number>, y: ArrayLike<number>): number | null {
  return pearson(averageRanks(x), averageRanks(y));
}

/** What brings the largest doubles so far down that a billion of them can be summed. A power of two, so it is exact. */
const DOWN = powerOfTwo(-40);
const MOST = powerOfTwo(1000);
const HUGE = Number.MAX_VALUE * DOWN;

/** Deviations in some unit, and the sum of their squares in order from 0. */
type Deviations = { values: Float64Array; squares: number };

/**
 * Deviations from the mean, in units of a power of two near the largest; null where there are fewer than 2 values, or
 * all are equal. Centred twice: the second time takes away what the rounding of the first mean left. Of ranks they are
 * exact, so that a correlation of 0 is 0.
 */
function deviations(values: ArrayLike<number>): Deviations | null {
  const n = values.length;
  let [size, total] = [0, 0];
  let differ = false;
  for (let at = 0; at < n; at += 1) {
    const value = values[at]!;
    const distance = Math.abs(value);
    if (!(distance < Infinity)) throw new RangeError(`not a finite number: ${value}`);
    if (distance > size) size = distance;
    differ ||= value !== values[0];
    total += value;
  }
  if (!differ) return null;
  const down = size > HUGE ? DOWN : 1;
  if (down !== 1) {
    total = 0;
    for (let at = 0; at < n; at += 1) total += values[at]! * down;
  }
  const found = new Float64Array(n);
  const middle = total / n;
  let rest = 0;
  for (let at = 0; at < n; at += 1) {
    const deviation = values[at]! * down - middle;
    found[at] = deviation;
    rest += deviation;
  }
  rest /= n;
  let largest = 0;
  for (let at = 0; at < n; at += 1) {
    const deviation = found[at]! - rest;
    found[at] = deviation;
    const distance = Math.abs(deviation);
    if (distance > largest) largest = distance;
  }
  const unit = unitOf(largest);
  let squares = 0;
  for (let at = 0; at < n; at += 1) {
    const deviation = found[at]! * unit;
    found[at] = deviation;
    squares += deviation * deviation;
  }
  return { values: found, squares };
}

/** The power of two, 2^1000 at most, that brings a positive number to 0.5 or more, and below 1. */
function unitOf(value: number): number {
  let unit = 1;
  while (value * unit < 0.5 && unit < MOST) unit *= 2;
  while (value * unit >= 1) unit *= 0.5;
  return unit;
}
