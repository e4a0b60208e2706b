import { covarianceMatrix } from '#lib/numerics/covariance-matrix.ts';
import { type ExactGram, exactGram } from '#lib/numerics/exact-gram.ts';
import { type CrossSections, type MonthCoverage, crossSections, monthCoverages } from './cross-sections.ts';
import { factorStatistics } from './factor-statistics.ts';
import { marketHash } from './market-hash.ts';
import { type PriceSeries, monthWindow } from './month-end-prices.ts';
import { specificRisks } from './specific-risk.ts';
import { MICRO, type ThemeExposure, selectTaxonomyVersion, taxonomyHash } from '#lib/data/taxonomy.ts';
import type { ThemeFactorsRequest } from './theme-factors.request.ts';
import {
  type ThemeFactorsRefusal,
  monthsTooFew,
  notIdentifiable,
  taxonomyUnavailable,
  themesTooSmall,
  universeEmpty,
} from './theme-factors.refusal.ts';
import { MODEL_KEY } from './theme-factors.result.ts';
import type { ThemeFactor, ThemeFactorsResult, ThemeFactorsWarning } from './theme-factors.result.ts';
import { themeFactorsWarnings } from './theme-factors.warnings.ts';
import { chainIndex } from './theme-index.ts';
import { type MonthFit, themeRegression } from './theme-regression.ts';
import { type ThemeSelection, type Universe, selectThemes, selectUniverse } from './theme-universe.ts';

export type { ThemeFactorsRefusal, ThemeFactorsRequest, ThemeFactorsResult };

export type ThemeFactorsData = {
  /** The taxonomy version that applies at the as-of date (`selectTaxonomyVersion`); undefined if no version applies. */
  taxonomy: { version: string; publishedAt: string; exposures: readonly ThemeExposure[] } | undefined;
  prices: readonly PriceSeries[];
};

export type ThemeFactorsControl = {
  /** Receives the share of months that are done, up to 1, after each month. */
  progress?(fraction: number): void;
  /** Returns whether the run is cancelled. Called before each month. If true, the run ends with an `AbortError`. */
  cancelled?(): boolean;
};

export type ThemeFactorsOutcome =
  | {
      ok: true;
      result: ThemeFactorsResult;
      /**
       * Specific returns of each symbol of the universe, one per month, as fractions. The specific return is the part
       * of the return that the model does not explain.
       */
      specificReturns: Record<string, (number | null)[]>;
      exposureMode: 'static_as_of';
      warnings: ThemeFactorsWarning[];
    }
  | Refused;

type Refused = { ok: false; refusal: ThemeFactorsRefusal };

const MONTHS_MIN = 12;

/**
 * Runs the theme factor model `svc_theme_factor_ridge_v1`. Month by month, it regresses the returns of the universe on
 * their theme exposures (ridge, with an unpenalised market intercept). It describes the factors, the theme indices and
 * the specific risk.
 *
 * The function is pure and reproducible to the bit: the order of symbols, observations and exposures does not matter,
 * and observations after the as-of date are ignored. The request must hold resolved values within their bounds. Returns
 * are simple monthly returns as fractions.
 *
 * Insufficient data give a refusal with the observed and the needed number. Invalid data throw a `RangeError`: a date
 * that is not valid, two prices on one day, an exposure out of range, or a taxonomy published after the as-of date. A
 * cancelled run throws a `DOMException` named `AbortError`. Source: specification of svc_theme_factor_ridge_v1.
 */
export function themeFactors(
  request: ThemeFactorsRequest,
  data: ThemeFactorsData,
  control: ThemeFactorsControl = {},
): ThemeFactorsOutcome {
  const { taxonomy } = data;
  if (taxonomy === undefined) return refuse(taxonomyUnavailable(request));
  if (selectTaxonomyVersion([taxonomy], request.as_of_date) === undefined) {
    throw new RangeError(`taxonomy ${taxonomy.version} was not published by ${request.as_of_date}`);
  }
  const prepared = prepare(request, taxonomy, data.prices);
  if (!prepared.ok) return prepared;
  const estimation = estimateMonths(prepared, request.ridge_lambda, control);
  if (!estimation.ok) {
    return refuse(notIdentifiable(estimation.pivot, prepared.months[estimation.month]!, request));
  }
  const { universe, sections, coverages, months } = prepared;
  const { fits, residuals } = estimation;
  const symbols = universe.symbols.map(({ symbol }) => symbol);
  const factors = prepared.themes.kept.map((theme, k) =>
    presentFactor(theme, { k, whole: prepared.whole, fits }),
  );
  return {
    ok: true,
    result: {
      model: MODEL_KEY,
      request: {
        as_of_date: request.as_of_date,
        history_months: request.history_months,
        ridge_lambda: request.ridge_lambda,
        minimum_symbols_per_factor: request.minimum_symbols_per_factor,
        max_factors: request.max_factors,
        max_symbols: request.max_symbols,
      },
      taxonomy: {
        version: taxonomy.version,
        published_at: taxonomy.publishedAt,
        sha256: taxonomyHash(taxonomy.exposures),
      },
      market_data: {
        first_month: prepared.baseMonth,
        last_month: months.at(-1)!,
        sha256: marketHash(universe.symbols),
      },
      symbols,
      factors,
      excluded_factors: prepared.themes.excluded,
      months: fits.map((fit, t) => (fit === null ? null : { month: months[t]!, ...fit.estimate })),
      specific_risk: specificRisks(symbols, residuals, sections.months),
      factor_covariance: factorCovariance(factors),
    },
    specificReturns: presentResiduals(symbols, residuals, sections.months),
    exposureMode: 'static_as_of',
    warnings: themeFactorsWarnings({ universe, months, coverages, factors }),
  };
}

type Prepared = {
  ok: true;
  baseMonth: string;
  months: string[];
  universe: Universe;
  themes: ThemeSelection;
  sections: CrossSections;
  whole: ExactGram;
  coverages: MonthCoverage[];
};

/** Runs steps 2 to 6: everything that is decided before the first regression, including all coverage refusals. */
function prepare(
  request: ThemeFactorsRequest,
  taxonomy: NonNullable<ThemeFactorsData['taxonomy']>,
  prices: readonly PriceSeries[],
): Prepared | Refused {
  const minimumSymbols = request.minimum_symbols_per_factor;
  const window = monthWindow(request.as_of_date, request.history_months);
  const universe = selectUniverse(taxonomy.exposures, prices, { window, maxSymbols: request.max_symbols });
  if (universe.symbols.length === 0) {
    return refuse(universeEmpty(universe.returnsMax, universe.returnsNeeded, request));
  }
  const themes = selectThemes(taxonomy.exposures, universe.symbols, {
    minimumSymbols,
    maxFactors: request.max_factors,
  });
  if (themes.kept.length === 0) return refuse(themesTooSmall(themes.symbolsMax, minimumSymbols));

  const sections = crossSections(universe.symbols, themes.kept, request.history_months);
  const whole = exactGram(sections.exposures);
  const coverages = monthCoverages(sections, { wholeCounts: whole.counts, minimumSymbols });
  const validMonths = coverages.filter(({ valid }) => valid).length;
  const monthsNeeded = Math.max(MONTHS_MIN, Math.floor((8 * request.history_months + 9) / 10));
  if (validMonths < monthsNeeded) return refuse(monthsTooFew(validMonths, monthsNeeded, request));
  const [baseMonth, ...months] = window.months;
  return { ok: true, baseMonth: baseMonth!, months, universe, themes, sections, whole, coverages };
}

function refuse(refusal: ThemeFactorsRefusal): Refused {
  return { ok: false, refusal };
}

/** Runs steps 7 and 8 for every valid month; other months have no fit. */
function estimateMonths(
  { sections, whole, coverages }: Prepared,
  lambda: number,
  control: ThemeFactorsControl,
):
  | { ok: true; fits: (MonthFit | null)[]; residuals: Float64Array }
  | { ok: false; month: number; pivot: number } {
  const residuals = new Float64Array(sections.symbols * sections.months).fill(Number.NaN);
  const regress = themeRegression(sections, { whole, lambda, residuals });
  const fits: (MonthFit | null)[] = [];
  for (const [t, coverage] of coverages.entries()) {
    if (control.cancelled?.()) throw new DOMException('cancelled', 'AbortError');
    const verdict = coverage.valid ? regress(t, coverage) : undefined;
    if (verdict?.ok === false) return { ok: false, month: t, pivot: verdict.pivot };
    fits.push(verdict === undefined ? null : verdict.fit);
    control.progress?.((t + 1) / coverages.length);
  }
  return { ok: true, fits, residuals };
}

function presentFactor(
  theme: string,
  { k, whole, fits }: { k: number; whole: ExactGram; fits: readonly (MonthFit | null)[] },
): ThemeFactor {
  const columns = whole.counts.length;
  const exposureSum = whole.sums[k]! / MICRO;
  const returns = fits.map((fit) => nullable(fit?.factorReturns[k]));
  const indexReturns = fits.map((fit) => nullable(fit?.indexReturns[k]));
  return {
    theme,
    symbols: whole.counts[k]!,
    exposure_sum: exposureSum,
    effective_symbols: (exposureSum * exposureSum) / (whole.products[k * columns + k]! / (MICRO * MICRO)),
    returns,
    stats: factorStatistics(returns.filter((value) => value !== null)),
    index_returns: indexReturns,
    index_levels: chainIndex(indexReturns).levels,
  };
}

function factorCovariance(factors: readonly ThemeFactor[]): number[][] | null {
  const series = factors.map(({ returns }) => returns);
  const common = [...series[0]!.keys()].filter((t) => series.every((returns) => returns[t] !== null));
  if (common.length < 2) return null;
  return covarianceMatrix(series.map((returns) => common.map((t) => returns[t]!))).to2DArray();
}

function presentResiduals(symbols: readonly string[], residuals: Float64Array, months: number) {
  const unobserved: (number | null)[] = Array.from({ length: months }, () => null);
  const entries = symbols.map((symbol, row): [string, (number | null)[]] => {
    const own = unobserved.slice();
    for (let t = 0; t < months; t += 1) {
      const value = residuals[row * months + t]!;
      if (!Number.isNaN(value)) own[t] = value;
    }
    return [symbol, own];
  });
  return Object.fromEntries(entries);
}

function nullable(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}
