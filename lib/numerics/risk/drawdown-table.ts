import { drawdownSeries } from './drawdown-series.ts';

/** A drawdown. `start`, `trough` and `recovery` are indices of returns, from 0. */
export type Drawdown = {
  /** Lowest level relative to the previous high, minus 1; below 0. */
  depth: number;
  /** First return after which the level is below the high. */
  start: number;
  /** Return after which the level is lowest; the first of several. */
  trough: number;
  /**
   * First return after which the level is at the previous high again; null if the level has not recovered.
   */
  recovery: number | null;
};

/**
 * Returns the deepest drawdowns of compounded simple returns, deepest first. Of equal drawdowns, the earlier
 * is first.
 *
 * `returns`: n simple returns as fractions. `most`: the maximum number of drawdowns to return. The level at
 * the start of the history counts as a high.
 *
 * Example: for [0.5, -0.5, 1], the result is one drawdown of -0.5 with start 1, trough 1 and recovery 2.
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
