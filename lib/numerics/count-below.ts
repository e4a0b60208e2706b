/**
 * Counts the values below a given value, by bisection. With `upTo`, values equal to the given value are counted too.
 *
 * Time: log n. Values must ascend and hold no NaN.
 *
 * Example: for [1, 2, 2, 5] and 2 the count is 1, and 3 with `upTo`.
 */
export function countBelow(ascending: ArrayLike<number>, value: number, { upTo = false } = {}): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const counts = upTo ? ascending[middle]! <= value : ascending[middle]! < value;
    if (counts) low = middle + 1;
    else high = middle;
  }
  return low;
}
