import type { PriceTable } from './price-table.ts';

/**
 * The returns of symbols in the last `window` sessions up to a session: K series of `window` values, oldest first. A
 * return is missing (NaN) if the symbol has no price in the session of the return or in the session before.
 */
export type PastReturns = Float64Array[];

/** Returns the simple returns of the total return index of symbols up to the session `t`. */
export function pastReturns(
  { tables }: PriceTable,
  symbols: readonly number[],
  { t, window }: { t: number; window: number },
): PastReturns {
  return symbols.map((k) => {
    const { sessions, columns } = tables[k]!;
    const index = columns.adj_close;
    const returns = new Float64Array(window).fill(Number.NaN);
    for (let at = upTo(sessions, t); at > 0; at -= 1) {
      const place = sessions[at]! - (t - window + 1);
      if (place < 0) break;
      if (sessions[at - 1] === sessions[at]! - 1) returns[place] = index[at]! / index[at - 1]! - 1;
    }
    return returns;
  });
}

/** Returns the index of the last value that is not above `t`; -1 without such a value. */
export function upTo(sessions: Int32Array, t: number): number {
  let low = 0;
  let high = sessions.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sessions[middle]! <= t) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
