/**
 * Returns the sum of the products of two vectors of one length, added from left to right.
 *
 * Example: the vectors [1, 2] and [3, 4] give 11.
 */
export function dot(one: ArrayLike<number>, other: ArrayLike<number>): number {
  let total = 0;
  for (let k = 0; k < one.length; k += 1) total += one[k]! * other[k]!;
  return total;
}
