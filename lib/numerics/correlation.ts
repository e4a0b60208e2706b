import { mean } from './descriptive.ts';
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
  return a && b && ofDeviations(a, b);
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
    for (let j = 0; j < i; j += 1) {
      const b = centred[j]!;
      found[i]![j] = found[j]![i] = a && b && ofDeviations(a, b);
    }
  }
  return found;
}

function ofDeviations(a: Float64Array, b: Float64Array): number {
  let [products, squaresOfX, squaresOfY] = [0, 0, 0];
  for (let at = 0; at < a.length; at += 1) {
    products += a[at]! * b[at]!;
    squaresOfX += a[at]! * a[at]!;
    squaresOfY += b[at]! * b[at]!;
  }
  const correlation = products / Math.sqrt(squaresOfX * squaresOfY);
  return Math.max(-1, Math.min(1, correlation));
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

/**
 * Deviations from the mean, in units of a power of two near the largest; null where there are fewer than 2 values, or
 * all are equal. Centred twice: the second time takes away what the rounding of the first mean left. Of ranks they are
 * exact, so that a correlation of 0 is 0.
 */
function deviations(values: ArrayLike<number>): Float64Array | null {
  const n = values.length;
  let size = 0;
  let differ = false;
  for (let at = 0; at < n; at += 1) {
    const value = values[at]!;
    if (!Number.isFinite(value)) throw new RangeError(`not a finite number: ${value}`);
    size = Math.max(size, Math.abs(value));
    differ ||= value !== values[0];
  }
  if (!differ) return null;
  const deviations = Float64Array.from(values, (value) => (size > HUGE ? value * DOWN : value));
  centre(deviations);
  centre(deviations);
  let largest = 0;
  for (let at = 0; at < n; at += 1) largest = Math.max(largest, Math.abs(deviations[at]!));
  const unit = unitOf(largest);
  for (let at = 0; at < n; at += 1) deviations[at] = deviations[at]! * unit;
  return deviations;
}

function centre(values: Float64Array): void {
  const middle = mean(values);
  for (let at = 0; at < values.length; at += 1) values[at] = values[at]! - middle;
}

/** The power of two, 2^1000 at most, that brings a positive number to 0.5 or more, and below 1. */
function unitOf(value: number): number {
  let unit = 1;
  while (value * unit < 0.5 && unit < MOST) unit *= 2;
  while (value * unit >= 1) unit *= 0.5;
  return unit;
}
