import { nearestAmong, nearestNeighbours } from './nearest-neighbours.ts';
import type { Table } from './table.ts';

export type MatrixProfile = {
  /** Distance of each window to the nearest other window. */
  distances: Float64Array;
  /** For each window, the start of the nearest other window; -1 if no other window exists. */
  nearest: Int32Array;
  /** Start of the window that is farthest from its nearest neighbour. */
  discord: number;
};

/**
 * Computes the matrix profile of a series: the z-normalised Euclidean distance of every window of `length` values to
 * its nearest neighbour among windows that start more than ceil(length / 4) away. Constant windows have distance 0 from
 * each other and sqrt(length) from all others.
 *
 * Time: the square of the number of windows, times their length.
 * Errors: `RangeError` on fewer than two windows.
 * Source: Yeh et al., "Matrix Profile I" (ICDM 2016), computed directly from the definition.
 */
export function matrixProfile(series: ArrayLike<number>, length: number): MatrixProfile {
  const windows = series.length - length + 1;
  if (windows < 2 || length < 2)
    throw new RangeError(`${series.length} values do not have two windows of ${length} values`);
  const shapes = normalisedWindows(series, length, windows);
  const { distances, places } = nearestAmong(shapes, 1, exclusion(length));
  let discord = 0;
  for (let i = 0; i < windows; i += 1)
    if (distances[i]! > distances[discord]! && distances[i]! < Infinity) discord = i;
  return { distances, nearest: places.map((place, i) => (distances[i]! < Infinity ? place : -1)), discord };
}

/** Returns the distance of every window of a series to the nearest window of the reference series. */
export function profileAgainst(
  reference: ArrayLike<number>,
  series: ArrayLike<number>,
  length: number,
): Float64Array {
  const known = normalisedWindows(reference, length, reference.length - length + 1);
  const shapes = normalisedWindows(series, length, series.length - length + 1);
  return nearestNeighbours(shapes, known, 1).distances;
}

/** Returns the number of values that a series needs, so that each window can be compared with another window. */
export function valuesNeeded(length: number): number {
  return length + 2 * exclusion(length) + 1;
}

/**
 * Returns the exclusion zone. Two windows that start at most this many values apart overlap so much that they are
 * nearly the same window.
 */
function exclusion(length: number): number {
  return Math.ceil(length / 4);
}

/**
 * Returns each window minus its mean, divided by its population standard deviation; all 0 for a constant
 * window.
 */
function normalisedWindows(series: ArrayLike<number>, length: number, windows: number): Table {
  const shapes = new Float64Array(windows * length);
  for (let start = 0; start < windows; start += 1) {
    let total = 0;
    for (let at = start; at < start + length; at += 1) total += series[at]!;
    const mean = total / length;
    let squares = 0;
    for (let at = start; at < start + length; at += 1) squares += (series[at]! - mean) * (series[at]! - mean);
    const deviation = Math.sqrt(squares / length);
    if (!(deviation > 0)) continue;
    for (let at = 0; at < length; at += 1)
      shapes[start * length + at] = (series[start + at]! - mean) / deviation;
  }
  return { values: shapes, dimensions: length };
}
