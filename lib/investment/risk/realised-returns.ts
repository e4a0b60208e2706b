import type { RealisedPath } from './realised-path.ts';
import { EQUITY_SHARE_MIN, SHARE_WITHOUT_HISTORY_MAX } from './risk-limits.ts';

/**
 * A period in which positions or debts are held, but whose value at the start is too small: its row, and
 * that value.
 */
export type UnfundedPeriod = { row: number; valueMinor: number };

export type RealisedReturns = {
  /** The longest series of returns without a gap that ends on the last date, oldest first. */
  returns: Float64Array;
  /**
   * The period directly before these returns, if its value at the start was too small; null if there is no such period,
   * or if the portfolio was empty in this period.
   */
  broken: UnfundedPeriod | null;
};

/**
 * Returns the time-weighted returns of a portfolio: r_t = (V_t - V_(t-1) - F_t) / (V_(t-1) + W_t), with the value V,
 * the external flows F of the period, and the same flows W weighted by their share of the period. For daily returns W =
 * F, so that r_t = V_t / (V_(t-1) + F_t) - 1: flows are treated as made at the start of the day. A period needs a start
 * value above 0 and of at least `EQUITY_SHARE_MIN` of the positions.
 *
 * Source: Modified Dietz method, CFA Institute, "GIPS Standards Handbook", calculation methodology; with weights of 1
 * it is the true time-weighted return of one period. Example: values 100 and 215 with a flow of 100 give 0.075.
 */
export function realisedReturns({ values, gross, flows, weightedFlows }: RealisedPath): RealisedReturns {
  const found: number[] = [];
  let broken: UnfundedPeriod | null = null;
  for (let t = values.length - 1; t > 0; t -= 1) {
    const base = values[t - 1]! + weightedFlows[t]!;
    if (base > 0 && base >= EQUITY_SHARE_MIN * gross[t - 1]!) {
      found.push((values[t]! - values[t - 1]! - flows[t]!) / base);
      continue;
    }
    const isClosed = values[t] === 0 && gross[t] === 0;
    if (!isClosed && (gross[t - 1]! > 0 || values[t - 1]! < 0)) broken = { row: t, valueMinor: base };
    break;
  }
  return { returns: Float64Array.from(found.reverse()), broken };
}

/**
 * Returns the newest returns for which positions with a price have a sufficient share of the value at every
 * row.
 */
export function pricedReturns({ unpriced }: RealisedPath, returns: Float64Array): Float64Array {
  const last = unpriced.length - 1;
  let count = 0;
  const isPriced = (row: number) => unpriced[row]! <= SHARE_WITHOUT_HISTORY_MAX;
  while (isPriced(last) && count < returns.length && isPriced(last - count - 1)) count += 1;
  return returns.subarray(returns.length - count);
}

/** Returns the coverage of the last n returns of a path. */
export function coverageOf({ unpriced, filled, lastUnpriced }: RealisedPath, n: number) {
  const first = unpriced.length - 1 - n;
  return {
    shareWithout: unpriced.subarray(first).reduce((most, each) => Math.max(most, each), 0),
    symbols: [...lastUnpriced].filter(([, row]) => row >= first).map(([symbol]) => symbol),
    rowsFilled: filled.subarray(first).reduce((total, each) => total + each, 0),
  };
}
