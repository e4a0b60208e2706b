import { expect } from 'chai';
import { readFileSync } from 'node:fs';

type Numbers = number[];
export type GoldenSeries = { period: number; values: Numbers };
export type GoldenDifferences = {
  D: number;
  d: number;
  plain_d: number;
  kpss: number;
  /**
   * The OCSB statistics with 0 to 3 lags. The statistics and the critical value exist only for seasonal
   * series.
   */
  ocsb?: Numbers;
  ocsb_critical?: number;
};
export type GoldenStl = { robust: boolean; seasonal: Numbers; trend: Numbers };
export type GoldenLikelihood = {
  series: string;
  values: Numbers;
  period: number;
  order: [number, number, number];
  seasonal: [number, number, number];
  mean: boolean;
  fixed: Numbers;
  log_likelihood: number;
  variance: number;
  point: Numbers;
  se: Numbers;
};
export type GoldenFit = {
  series: string;
  order: [number, number, number];
  seasonal: [number, number, number];
  constant: boolean;
  coefficients: Record<string, number>;
  log_likelihood: number;
  variance: number;
  point: Numbers;
  se: Numbers;
};
/** The orders p, d, q and, for a seasonal model, P, D, Q and the period. */
export type GoldenAutomatic = { series: string; order: Numbers; aicc: number; point: Numbers };

type Golden = {
  series: Record<string, GoldenSeries>;
  differences: Record<string, GoldenDifferences>;
  stl: Record<string, GoldenStl[]>;
  mstl: { values: Numbers; seasonal_48: Numbers; seasonal_336: Numbers; trend: Numbers };
  likelihoods: GoldenLikelihood[];
  fits: GoldenFit[];
  automatic: GoldenAutomatic[];
  croston: { values: Numbers; alpha: number; point: number; alpha_3: number };
};

/** The results of R, computed by `test/golden/forecasting/arima.R`. */
export const golden = JSON.parse(
  readFileSync(new URL('../../../golden/forecasting/arima.json', import.meta.url), 'utf8'),
) as Golden;

export function goldenSeries(name: string): { values: Float64Array; period: number } {
  const { values, period } = golden.series[name]!;
  return { values: Float64Array.from(values), period };
}

/** Expects that two lists of numbers differ by at most a tolerance, relative to the largest number. */
export function expectClose(actual: ArrayLike<number>, expected: readonly number[], tolerance: number): void {
  const scale = Math.max(...expected.map(Math.abs));
  expected.forEach((value, index) =>
    expect(
      Math.abs(actual[index]! - value) / scale,
      `at ${index}: ${actual[index]} for ${value}`,
    ).to.be.below(tolerance),
  );
}
