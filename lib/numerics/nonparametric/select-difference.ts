/**
 * Returns the rank-th smallest of all differences between a value of `first` and a value of `second`, counted from 1.
 * Both lists are integers in ascending order, and not empty. The differences are counted and never stored: the result is
 * found by bisection of its value.
 *
 * Errors: `RangeError` on a rank that no difference has.
 * Example: `selectDifference([5n, 9n], [1n, 2n], 2)` is 4n, because the differences are 3, 4, 7 and 8.
 */
export function selectDifference(first: readonly bigint[], second: readonly bigint[], rank: number): bigint {
  if (!(rank >= 1 && rank <= first.length * second.length))
    throw new RangeError(`no difference has rank ${rank}`);
  let low = first[0]! - second.at(-1)!;
  let high = first.at(-1)! - second[0]!;
  while (low < high) {
    const middle = (low + high) >> 1n;
    if (countUpTo(first, second, middle) >= rank) high = middle;
    else low = middle + 1n;
  }
  return low;
}

/** Returns how many differences are at most `bound`. */
function countUpTo(first: readonly bigint[], second: readonly bigint[], bound: bigint): number {
  let count = 0;
  let from = 0;
  for (const value of first) {
    while (from < second.length && second[from]! < value - bound) from += 1;
    count += second.length - from;
  }
  return count;
}
