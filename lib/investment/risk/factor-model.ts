import { MICRO, type ThemeExposure, taxonomyHash } from '#lib/data/taxonomy.ts';
import { covarianceMatrix } from '#lib/numerics/covariance-matrix.ts';
import type { ThemeFactorsResult } from '../theme-factors/theme-factors.result.ts';

/** The monthly factor risk model of a sealed theme factor run. */
export type FactorModel = {
  run: { uid: string; result_hash: string };
  /** The names of the F factors: `market`, then the themes of the run. */
  factors: readonly string[];
  /** Covariance matrix of the monthly factor returns, F-by-F, in the order of `factors`. */
  covariance: readonly (readonly number[])[];
  /**
   * The F exposures of a symbol; the first exposure is 1. A symbol outside the universe of the run is absent.
   */
  exposuresOf: ReadonlyMap<string, Float64Array>;
  /** Specific monthly volatility by symbol, after shrinkage to the mean of the universe. */
  specificOf: ReadonlyMap<string, number>;
};

/** The name of the factor to which every symbol has the exposure 1: the intercept of the monthly regressions. */
export const MARKET = 'market';

/**
 * Returns the factor model of a sealed theme factor run: the covariance of its market intercept and its
 * factors, the exposures of the taxonomy that it used, and its specific risks.
 *
 * `exposures` must be those of the taxonomy version of the run; other exposures throw an `Error`, because the
 * run did not use them. Returns null if fewer than two months have all factors.
 *
 * Units: monthly simple returns, fractions.
 */
export function factorModelOf(
  run: { uid: string; result_hash: string },
  { result, exposures }: { result: ThemeFactorsResult; exposures: readonly ThemeExposure[] },
): FactorModel | null {
  if (taxonomyHash(exposures) !== result.taxonomy.sha256)
    throw new Error(`the exposures are not those of the taxonomy of ${run.uid}`);
  const themes = result.factors.map(({ theme }) => theme);
  const series = [
    result.months.map((month) => month?.intercept ?? null),
    ...result.factors.map((each) => each.returns),
  ];
  const common = [...result.months.keys()].filter((t) => series.every((returns) => returns[t] != null));
  if (common.length < 2) return null;
  const placeOf = new Map(themes.map((theme, at) => [theme, at + 1]));
  const exposuresOf = new Map(
    result.symbols.map((symbol) => {
      const own = new Float64Array(themes.length + 1);
      own[0] = 1;
      return [symbol, own];
    }),
  );
  for (const { theme, symbol, micro } of exposures) {
    const place = placeOf.get(theme);
    const own = exposuresOf.get(symbol);
    if (place !== undefined && own !== undefined) own[place] = micro / MICRO;
  }
  return {
    run,
    factors: [MARKET, ...themes],
    covariance: covarianceMatrix(series.map((returns) => common.map((t) => returns[t]!))).to2DArray(),
    exposuresOf,
    specificOf: new Map(
      result.specific_risk.map(({ symbol, shrunk_volatility }) => [symbol, shrunk_volatility]),
    ),
  };
}
