import type { ConstructionRequestBody } from './construction.schema.ts';

/**
 * The input of a construction: everything it reads. Quantities and prices are decimals times 10^8, amounts
 * are minor units of the base currency.
 *
 * - **Value**: cash plus holdings at their prices. Weights are shares of this value.
 * - **Asset**: an instrument with returns. An asset that is not eligible is only part of the benchmark.
 * - **Holding**: a position of the portfolio. Holdings without an eligible asset are sold.
 */
export type ConstructionInput = {
  /**
   * The request. The window, universe and benchmark that it names are already resolved into the other
   * members.
   */
  request: ConstructionRequestBody;
  currency: string;
  /** Number of decimals of the currency. */
  minorDigits: number;
  /** Cash of the portfolio. `cash_added_minor` is not included. */
  cashMinor: bigint;
  assets: readonly ConstructionAsset[];
  holdings: readonly ConstructionHolding[];
  /** Number of periods per year: 252 for daily and 12 for monthly returns. */
  periodsPerYear: number;
  /**
   * Weights of the benchmark by symbol of an asset; null without a benchmark. The weights are divided by
   * their sum, unless `hasBenchmarkCash` is true.
   */
  benchmark: Readonly<Record<string, number>> | null;
  /** Whether the difference between 1 and the sum of the weights of the benchmark is cash. */
  hasBenchmarkCash?: boolean;
  /** Values of the feature by symbol, for `returns` of the kind `feature`. */
  feature: Readonly<Record<string, number>> | null;
  /** The risk model of the sealed run, for the estimator `factor_run`; null for other estimators. */
  factorModel: ConstructionFactorModel | null;
};

export type ConstructionAsset = {
  symbol: string;
  currency: string;
  isEligible: boolean;
  sector: string | null;
  /** Exposures by theme, 0 to 1. */
  themes: Readonly<Record<string, number>>;
  /** Simple returns of the window, oldest first, NaN if missing. All assets have the same periods. */
  returns: ArrayLike<number>;
  /** Price of a share; null if there is no price. */
  price: bigint | null;
  /** Median daily volume in shares; null if there is no volume. */
  volume: number | null;
};

export type ConstructionHolding = {
  symbol: string;
  currency: string;
  /** Number of shares; below 0 for a short position. */
  quantity: bigint;
  price: bigint | null;
  /** Open lots, in the order in which the portfolio sells them. */
  lots: readonly ConstructionLot[];
};

/** An open lot. If a wash sale changed the basis of a part of a lot, this part is a separate slice. */
export type ConstructionLot = {
  lot: string;
  /** Number of the slice; 0 for the lot itself. */
  slice: number;
  quantity: bigint;
  /** Basis of all shares of the lot or slice, including adjustments by wash sales. */
  basisMinor: bigint;
  term: 'short' | 'long';
};

/** A factor model of the symbols. Variances are annual. */
export type ConstructionFactorModel = {
  exposures: Readonly<Record<string, readonly number[]>>;
  factorCovariance: readonly (readonly number[])[];
  specificVariances: Readonly<Record<string, number>>;
};
