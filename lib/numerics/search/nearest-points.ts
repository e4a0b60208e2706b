import { valueCount, shareOfValue } from './axis-values.ts';
import type { Point, Space } from './space.ts';

/**
 * Returns the indices of the points nearest to the point `index`, by the Euclidean distance of their shares of the
 * ranges. Points with the same values as this point are omitted. Equal distances are ordered by index.
 *
 * `count`: number of neighbours; by default two for each axis with more than one value. Words are compared by their
 * position in the list of values. Throws a `RangeError` if there is no point `index`. Time: the number of points x
 * axes.
 */
export function nearestPoints(
  space: Space,
  points: readonly Point[],
  { index, count }: { index: number; count?: number },
): number[] {
  const own = points[index];
  if (own === undefined) throw new RangeError(`there is no point ${index}`);
  const most = count ?? 2 * space.filter((axis) => valueCount(axis) > 1).length;
  const shares = (point: Point) => space.map((axis, at) => shareOfValue(axis, point[at]!));
  const centre = shares(own);
  return points
    .map((point, at) => ({ at, distance: squaredDistance(shares(point), centre) }))
    .filter(({ at, distance }) => at !== index && distance > 0)
    .sort((one, other) => one.distance - other.distance || one.at - other.at)
    .slice(0, most)
    .map(({ at }) => at);
}

function squaredDistance(one: readonly number[], other: readonly number[]): number {
  let total = 0;
  for (const [at, value] of one.entries()) total += (value - other[at]!) * (value - other[at]!);
  return total;
}
