import { valueAt, valueCount } from './axis-values.ts';
import type { Point, Space } from './space.ts';

/**
 * Returns the number of points of a grid, without building it. It is Infinity if a range is continuous, and
 * rounded above 2^53. A space without axes has one point, which has no values.
 *
 * Example: axes of 3 and 4 values give 12.
 */
export function gridCount(space: Space): number {
  let count = 1;
  for (const axis of space) count *= valueCount(axis);
  return count;
}

/**
 * Returns the point of a grid at an index. From one index to the next, the last axis changes first and the first axis
 * last.
 *
 * `index`: an integer from 0 to the number of points - 1; throws a `RangeError` otherwise, and on a continuous range.
 */
export function gridPoint(space: Space, index: number): Point {
  return gridPlaces(space, index).map((place, axis) => valueAt(space[axis]!, place));
}

/** Returns the points from `first` on, `count` of them. Throws in the same cases as `gridPoint`. */
export function gridPoints(space: Space, { first, count }: { first: number; count: number }): Point[] {
  return Array.from({ length: count }, (_, at) => gridPoint(space, first + at));
}

/** Returns the index of the value of a point on each axis. Throws in the same cases as `gridPoint`. */
export function gridPlaces(space: Space, index: number): number[] {
  const count = gridCount(space);
  if (!(count <= Number.MAX_SAFE_INTEGER)) throw new RangeError(`a grid of ${count} points is too large`);
  if (!Number.isSafeInteger(index) || index < 0 || index >= count)
    throw new RangeError(`the grid has no point ${index}`);
  const places = Array.from(space, () => 0);
  let rest = index;
  for (let axis = space.length - 1; axis >= 0; axis -= 1) {
    const values = valueCount(space[axis]!);
    places[axis] = rest % values;
    rest = Math.floor(rest / values);
  }
  return places;
}

/**
 * Returns the indices, ascending, of the points that differ from a point by one step on one axis: at most two
 * for each axis. Throws in the same cases as `gridPoint`.
 *
 * Example: in a grid of 3 by 4 values, the neighbours of the point with index 5 have the indices 1, 4, 6 and
 * 9.
 */
export function gridNeighbours(space: Space, index: number): number[] {
  const places = gridPlaces(space, index);
  const neighbours: number[] = [];
  let stride = 1;
  for (let axis = space.length - 1; axis >= 0; axis -= 1) {
    const values = valueCount(space[axis]!);
    if (places[axis]! > 0) neighbours.push(index - stride);
    if (places[axis]! < values - 1) neighbours.push(index + stride);
    stride *= values;
  }
  return neighbours.sort((one, other) => one - other);
}
