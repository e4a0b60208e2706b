import type { FactorModel } from './factor-model.ts';
import type { RealisedPath } from './realised-path.ts';
import type { RiskLimits } from './risk-limits.ts';
import type { RiskOptions } from './risk-request.schema.ts';

/** A position by its symbol. Symbols are unique within a portfolio. */
export type RiskPosition = {
  symbol: string;
  currency: string;
  /** Number of shares, negative for a short position. Used only for the days of liquidity. */
  quantity: number;
  /** Value at the as-of date in minor units; null if there is no price. */
  valueMinor: bigint | null;
  /** The currency of its closes, if it is another one than that of the position; otherwise null. */
  otherCurrency: string | null;
  /** Prices at the dates of the input, oldest first; NaN if missing. */
  prices: Float64Array;
  /**
   * Volumes of the last sessions in shares, oldest first, NaN if missing; null if volumes are not included.
   */
  volumes: Float64Array | null;
};

/** A symbol with its prices at the dates, or another portfolio as it was held at the dates. */
export type RiskBenchmark =
  | { symbol: string; prices: Float64Array }
  | { portfolio: string; path: RealisedPath };

/** The data of one portfolio whose risk is computed. All arrays of prices have one entry per date. */
export type RiskInput = {
  portfolio: string;
  asOf: string;
  /** T + 1 ascending dates: days or month ends. The last date is not after the as-of date. */
  dates: readonly string[];
  positions: readonly RiskPosition[];
  cash: readonly { currency: string; amountMinor: bigint }[];
  /** The portfolio as it was held at the dates, for the basis `realised`. */
  realised: RealisedPath | null;
  benchmark: RiskBenchmark | null;
  factorModel: FactorModel | null;
  options: RiskOptions;
  limits: RiskLimits;
};
