import type { ScenarioOptions } from './scenario-request.schema.ts';

/** A position by its symbol. Symbols are unique within a portfolio. */
export type ScenarioHolding = {
  symbol: string;
  currency: string;
  /**
   * Number of the instrument, from 0 to 2^26 - 1. It must not depend on the portfolio: the specific draws of a position
   * follow from it alone.
   */
  instrument: number;
  /** Value at the as-of date in minor units; null without a price. */
  valueMinor: bigint | null;
  /** Monthly log returns in the months of the factors, NaN where one is missing; null without any. */
  returns: Float64Array | null;
  /** The sector or theme of the position; null without one. */
  group: string | null;
};

/** The run whose samples are consumed. */
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
   * Monthly log returns, sample by sample, one number a factor; for paths cumulative log returns, path by path and
   * month by month.
   */
  matrix: Float64Array;
  /** Monthly log returns of each factor of the run up to the as-of date, oldest first, without gaps. */
  factorReturns: readonly Float64Array[];
  holdings: readonly ScenarioHolding[];
  cash: readonly { currency: string; amountMinor: bigint }[];
  options: ScenarioOptions;
};
