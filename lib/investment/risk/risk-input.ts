import type { FactorModel } from './factor-model.ts';
import type { RiskLimits } from './risk-limits.ts';
import type { RiskOptions } from './risk-request.schema.ts';

/** A position by its symbol. Symbols are unique within a portfolio. */
export type RiskPosition = {
  symbol: string;
  currency: string;
  /** Number of shares, negative for a short position. It serves the days of liquidity alone. */
  quantity: number;
  /** Value at the as-of date in minor units; null without a price. */
  valueMinor: bigint | null;
  /** Prices at the dates of the input, oldest first; NaN where one is missing. */
  prices: Float64Array;
  /** Volumes of the last sessions in shares, oldest first, NaN where one is missing; null if none are kept. */
  volumes: Float64Array | null;
};

/** The data of one portfolio whose risk is computed. All arrays of prices have one entry a date. */
export type RiskInput = {
  portfolio: string;
  asOf: string;
  /** T + 1 ascending dates, daily or month ends, the last one not after the as-of date. */
  dates: readonly string[];
  positions: readonly RiskPosition[];
  cash: readonly { currency: string; amountMinor: bigint }[];
  /**
   * The value of the portfolio in minor units at each date, and the external flow at the start of that day (deposits
   * above 0), for the basis `realised`.
   */
  realised: { values: Float64Array; flows: Float64Array } | null;
  benchmark: { symbol: string; prices: Float64Array } | null;
  factorModel: FactorModel | null;
  options: RiskOptions;
  limits: RiskLimits;
};
