import { MICRO, type ThemeExposure, taxonomyHash } from '#lib/data/taxonomy.ts';
import { covarianceMatrix } from '#lib/numerics/covariance-matrix.ts';
import type { ThemeFactorsResult } from '../theme-factors/theme-factors.result.ts';

/** Monthly factor risk of a sealed theme factor run. */
export type FactorModel = {
  run: { uid: string; result_hash: string };
  /** `market`, then the themes of the run. */
  factors: readonly string[];
  /** Covariance of the monthly returns of the factors, F-by-F, in their order. */
  covariance: readonly (readonly number[])[];
  /** Exposures of a symbol, F numbers, the first 1; undefined outside the universe of the run. */
  exposuresOf: ReadonlyMap<string, Float64Array>;
  /** Specific monthly volatility by symbol, shrunk to the mean of the universe. */
  specificOf: ReadonlyMap<string, number>;
};

/** The name of the factor to which every symbol has the exposure 1: the intercept of the monthly regressions. */
export const MARKET = 'market';

/**
 * Returns the factor model of a sealed theme factor run: the covariance of its market intercept and its factors, the
 * exposures of the taxonomy that it used, and its specific risks.
 *
 * `exposures` must be those of the taxonomy version of the run; any other throws an `Error`, because then the risk
 * would not be that of the run. Null if fewer than two months have all factors.
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
