import { varHistoricalType7 } from './historical-type7.ts';
import { countBelow } from '../count-below.ts';

/**
 * Marks exceptions: the periods whose return is below minus the historical value at risk (type 7), which is
 * computed from the `window` returns before the period.
 *
 * `returns`: T simple returns, oldest first. The result has T - window entries, 1 for an exception and 0
 * otherwise, for the returns from index `window` on. The result is empty if T is at most `window`. Throws a
 * `RangeError` on a window below 1, on NaN, and on a level outside (0, 1).
 *
 * Example: for 20 returns of 0 followed by a return of -0.01, with a window of 20, the result is [1].
 */
export function rollingExceptions(
  returns: ArrayLike<number>,
  { window, level }: { window: number; level: number },
): Uint8Array {
  if (!(window >= 1)) throw new RangeError(`not a window: ${window}`);
  const tested = Math.max(0, returns.length - window);
  const marks = new Uint8Array(tested);
  const ascending = Float64Array.from(
    { length: Math.min(window, returns.length) },
    (_, t) => returns[t]!,
  ).sort();
  for (let at = 0; at < tested; at += 1) {
    const next = returns[window + at]!;
    if (next < -varHistoricalType7(ascending, level)) marks[at] = 1;
    replace(ascending, returns[at]!, next);
  }
  return marks;
}

/** Replaces one value in an ascending list by another value, in place. The list stays ascending. */
function replace(ascending: Float64Array, old: number, next: number): void {
  const from = countBelow(ascending, old);
  const to = countBelow(ascending, next);
  if (to > from) {
    ascending.copyWithin(from, from + 1, to);
    ascending[to - 1] = next;
  } else {
    ascending.copyWithin(to + 1, to, from);
    ascending[to] = next;
  }
}
