/**
 * How many of ascending values are below a value, by bisection; `upTo` counts those that equal it as well.
 *
 * Time log n. Values must ascend and hold no NaN.
 *
 * Example: of [1, 2, 2, 5] and 2 it is 1, and up to it 3.
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
