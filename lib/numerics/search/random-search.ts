import { PHILOX_DOMAINS } from '../philox.ts';
import { uniformStream } from '../uniform-stream.ts';
import { valueOfShare } from './axis-values.ts';
import type { Point, Space } from './space.ts';

/**
 * Returns the random point of a trial. Each axis takes one uniform of the trial's stream, in the order of the axes:
 * domain 7, sample = trial. A point therefore depends only on the seed and the number of its trial. Finite axes draw
 * each value with equal probability, logarithmic ranges are uniform in the logarithm.
 *
 * `seed`, `trial`: integers from 0 to 2^53 - 1; throws a `RangeError` otherwise. Two trials can have equal points.
 */
export function randomPoint(space: Space, { seed, trial }: { seed: number; trial: number }): Point {
  const uniform = uniformStream({ seed, domain: PHILOX_DOMAINS.randomSearch, sample: trial });
  return space.map((axis) => valueOfShare(axis, uniform()));
}

/**
 * Returns the random points of the trials from `first` on, `count` of them. Throws in the same cases as `randomPoint`.
 */
export function randomPoints(
  space: Space,
  { seed, first, count }: { seed: number; first: number; count: number },
): Point[] {
  return Array.from({ length: count }, (_, at) => randomPoint(space, { seed, trial: first + at }));
}
