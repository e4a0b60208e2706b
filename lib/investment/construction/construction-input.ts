import type { ConstructionRequestBody } from './construction.schema.ts';

/**
 * The input of a construction: everything it reads. Quantities and prices are decimals times 10^8, amounts are minor
 * units of the base currency.
 *
 * - **Value**: cash plus holdings at their prices. Weights are shares of it.
 * - **Asset**: an instrument with returns. An asset that is not eligible is only part of the benchmark.
 * - **Holding**: a position of the portfolio. Holdings without an eligible asset are sold.
 */
export type ConstructionInput = {
  /** The request with the window, universe and benchmark already resolved into the other members. */
  request: ConstructionRequestBody;
  currency: string;
  /** Decimals of the currency. */
  minorDigits: number;
  /** Cash of the portfolio, without `cash_added_minor`. */
  cashMinor: bigint;
  assets: readonly ConstructionAsset[];
  holdings: readonly ConstructionHolding[];
  /** 252 for daily and 12 for monthly returns. */
  periodsPerYear: number;
  /** Weights of the benchmark by symbol of an asset, or null. They are divided by their sum. */
  benchmark: Readonly<Record<string, number>> | null;
  /** Values of the feature by symbol, for `returns` of the kind `feature`. */
  feature: Readonly<Record<string, number>> | null;
  /** The risk model of the sealed run, for the estimator `factor_run`. */
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
  /** Null if there is no price. */
  price: bigint | null;
  /** Median daily volume in shares, or null. */
  volume: number | null;
};

export type ConstructionHolding = {
  symbol: string;
  currency: string;
  /** Below 0 for a short position. */
  quantity: bigint;
  price: bigint | null;
  /** Open lots, in the order in which the portfolio relieves them. */
  lots: readonly ConstructionLot[];
};

/** An open lot, or the slice of one to which a wash sale gave a basis of its own. */
export type ConstructionLot = {
  lot: string;
  /** 0 for the lot itself. */
  slice: number;
  quantity: bigint;
  /** Basis of the whole lot, with adjustments of wash sales. */
  basisMinor: bigint;
  term: 'short' | 'long';
};

/** A factor model by symbol, with the variances of a year. */
export type ConstructionFactorModel = {
  exposures: Readonly<Record<string, readonly number[]>>;
  factorCovariance: readonly (readonly number[])[];
  specificVariances: Readonly<Record<string, number>>;
};
