import { averageRanks } from './average-ranks.ts';

/**
 * Assigns each value to one of `count` groups of sizes as equal as possible, from 0 (the lowest): floor(count (r - 1/2)
 * / n) for a value with the average rank r among n values. Equal values are always in one group, so a group can be
 * empty; if all values are equal, all values are in the middle group. Throws a `RangeError` on NaN and on fewer than 2
 * groups.
 *
 * Example: `quantileGroups([5, 1, 4, 2, 3, 6], 3)` is 2, 0, 1, 0, 1, 2.
 */
export function quantileGroups(values: ArrayLike<number>, count: number): Uint16Array {
  if (!Number.isInteger(count) || count < 2) throw new RangeError(`not a number of groups: ${count}`);
  const n = values.length;
  for (let at = 0; at < n; at += 1) if (Number.isNaN(values[at])) throw new RangeError('NaN is in no group');
  return Uint16Array.from(averageRanks(values), (rank) => Math.floor((count * (rank - 0.5)) / n));
}
