import type { ScenarioOptions } from './scenario-request.schema.ts';

/** A position by its symbol. Symbols are unique within a portfolio. */
export type ScenarioHolding = {
  symbol: string;
  currency: string;
  /**
   * Number of the instrument, from 0 to 2^26 - 1. The specific draws of a position follow only from this
   * number, so the number must not depend on the portfolio.
   */
  instrument: number;
  /** Value at the as-of date in minor units; null if there is no price. */
  valueMinor: bigint | null;
  /** The currency of its closes, if it is another one than that of the position; otherwise null. */
  otherCurrency: string | null;
  /** Monthly log returns in the months of the factors, NaN if missing; null if all are missing. */
  returns: Float64Array | null;
  /** The sector or theme of the position; null if it has no group. */
  group: string | null;
};

/** The run whose samples are applied. */
export type ConsumedRun = {
  uid: string;
  run_hash: string;
  samples_hash: string;
  seed: number;
  factors: readonly string[];
  /** Months of a path; null if a sample is one month. */
  horizon: number | null;
};

export type PortfolioScenarioInput = {
  portfolio: string;
  asOf: string;
  run: ConsumedRun;
  /**
   * Monthly log returns, sample by sample, with one number per factor. For paths: cumulative log returns,
   * path by path and month by month.
   */
  matrix: Float64Array;
  /**
   * Monthly log returns of each factor of the run up to the as-of date, oldest first. No month is missing.
   */
  factorReturns: readonly Float64Array[];
  holdings: readonly ScenarioHolding[];
  cash: readonly { currency: string; amountMinor: bigint }[];
  options: ScenarioOptions;
};
