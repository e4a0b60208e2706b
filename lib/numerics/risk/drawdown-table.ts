import { drawdownSeries } from './drawdown-series.ts';

/** A drawdown by the places of its returns, counted from 0. */
export type Drawdown = {
  /** Lowest level relative to the high before, minus 1: below 0. */
  depth: number;
  /** First return below the high. */
  start: number;
  /** Return after which the level is lowest, the first of them. */
  trough: number;
  /** First return after which the level is at the old high again; null if it is not. */
  recovery: number | null;
};

/**
 * Returns the deepest drawdowns of compounded simple returns, deepest first, the earlier of equals first.
 *
 * `returns`: n simple returns, fractions. `most`: the greatest number of drawdowns. The start of the history is a high.
 *
 * Example: for [0.5, -0.5, 1] it is one drawdown of -0.5 with start 1, trough 1 and recovery 2.
 */
export function drawdownTable(returns: ArrayLike<number>, most: number): Drawdown[] {
  const found: Drawdown[] = [];
  let open: Drawdown | null = null;
  for (const [t, depth] of drawdownSeries(returns).entries()) {
    if (depth < 0) {
      open ??= { depth, start: t, trough: t, recovery: null };
      if (depth < open.depth) Object.assign(open, { depth, trough: t });
    } else if (open) {
      found.push({ ...open, recovery: t });
      open = null;
    }
  }
  if (open) found.push(open);
  return found.sort((one, other) => one.depth - other.depth || one.start - other.start).slice(0, most);
}
