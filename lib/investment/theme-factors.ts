import { covarianceMatrix } from '#lib/numerics/covariance-matrix.ts';
import { type ExactGram, exactGram } from '#lib/numerics/exact-gram.ts';
import { type CrossSections, type MonthCoverage, crossSections, monthCoverages } from './cross-sections.ts';
import { factorStatistics } from './factor-statistics.ts';
import { marketHash } from './market-hash.ts';
import { type PriceSeries, monthWindow } from './month-end-prices.ts';
import { specificRisks } from './specific-risk.ts';
import { MICRO, type ThemeExposure, selectTaxonomyVersion, taxonomyHash } from './taxonomy.ts';
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
import { selectThemes, selectUniverse } from './theme-universe.ts';

export type { ThemeFactorsRefusal, ThemeFactorsRequest, ThemeFactorsResult };

export type ThemeFactorsData = {
  /** The version in force at the as-of date (`selectTaxonomyVersion`), undefined when there is none. */
  taxonomy: { version: string; publishedAt: string; exposures: readonly ThemeExposure[] } | undefined;
  prices: readonly PriceSeries[];
};

export type ThemeFactorsControl = {
  /** Called after each month with the share of the months done, up to 1. */
  progress?(fraction: number): void;
  /** Asked before each month; when true the run ends with an `AbortError`. */
  cancelled?(): boolean;
};

export type ThemeFactorsOutcome =
  | {
      ok: true;
      result: ThemeFactorsResult;
      /** For each symbol of the universe what the model leaves of its return, one element a month, fractions. */
      specificReturns: Record<string, (number | null)[]>;
      exposureMode: 'static_as_of';
      warnings: ThemeFactorsWarning[];
    }
  | { ok: false; refusal: ThemeFactorsRefusal };

const MONTHS_MIN = 12;

/**
 * The theme factor model `svc_theme_factor_ridge_v1`: month by month it regresses the returns of the universe on their
 * theme exposures (ridge, market intercept without penalty), and describes factors, theme indices and specific risk.
 *
 * Pure and reproducible to the bit: the order of symbols, observations and exposures does not matter, nor do
 * observations after the as-of date. The request holds resolved values within their bounds. Returns are monthly simple
 * returns as fractions.
 *
 * Data that do not suffice are a refusal with the numbers. Data that cannot be (a date that is none, two prices on a day,
 * an exposure out of range, a taxonomy published after the as-of date) throw a `RangeError`; a run that was cancelled
 * throws a `DOMException` named `AbortError`. Source: investment.md, section 2.
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
  const minimumSymbols = request.minimum_symbols_per_factor;
  const window = monthWindow(request.as_of_date, request.history_months);
  const months = window.months.slice(1);
  const universe = selectUniverse(taxonomy.exposures, data.prices, {
    window,
    maxSymbols: request.max_symbols,
  });
  if (universe.symbols.length === 0) {
    return refuse(universeEmpty(universe.returnsMost, universe.returnsNeeded, request));
  }

  const limits = { minimumSymbols, maxFactors: request.max_factors };
  const themes = selectThemes(taxonomy.exposures, universe.symbols, limits);
  if (themes.kept.length === 0) return refuse(themesTooSmall(themes.symbolsMost, minimumSymbols));

  const sections = crossSections(universe.symbols, themes.kept, request.history_months);
  const whole = exactGram(sections.exposures);
  const coverages = monthCoverages(sections, { wholeCounts: whole.counts, minimumSymbols });
  const validMonths = coverages.filter(({ valid }) => valid).length;
  const monthsNeeded = Math.max(MONTHS_MIN, Math.floor((8 * request.history_months + 9) / 10));
  if (validMonths < monthsNeeded) return refuse(monthsTooFew(validMonths, monthsNeeded, request));

  const residuals = new Float64Array(sections.symbols * sections.months).fill(Number.NaN);
  const estimation = estimateMonths(
    { sections, whole, coverages, residuals, lambda: request.ridge_lambda },
    control,
  );
  if (!estimation.ok) return refuse(notIdentifiable(estimation.pivot, months[estimation.month]!, request));

  const { fits } = estimation;
  const symbols = universe.symbols.map(({ symbol }) => symbol);
  const factors = themes.kept.map((theme, k) => presentFactor(theme, { k, whole, fits }));
  const result: ThemeFactorsResult = {
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
      first_month: window.months[0]!,
      last_month: window.months.at(-1)!,
      sha256: marketHash(universe.symbols),
    },
    symbols,
    factors,
    excluded_factors: themes.excluded,
    months: fits.map((fit, t) => (fit === null ? null : { month: months[t]!, ...fit.estimate })),
    specific_risk: specificRisks(symbols, residuals, sections.months),
    factor_covariance: factorCovariance(factors),
  };
  return {
    ok: true,
    result,
    specificReturns: presentResiduals(symbols, residuals, sections.months),
    exposureMode: 'static_as_of',
    warnings: themeFactorsWarnings({ universe, months, coverages, factors }),
  };
}

function refuse(refusal: ThemeFactorsRefusal): ThemeFactorsOutcome {
  return { ok: false, refusal };
}

function estimateMonths(
  input: {
    sections: CrossSections;
    whole: ExactGram;
    coverages: readonly MonthCoverage[];
    residuals: Float64Array;
    lambda: number;
  },
  control: ThemeFactorsControl,
): { ok: true; fits: (MonthFit | null)[] } | { ok: false; month: number; pivot: number } {
  const { sections, coverages } = input;
  const regress = themeRegression(sections, input);
  const fits: (MonthFit | null)[] = [];
  for (const [t, coverage] of coverages.entries()) {
    if (control.cancelled?.()) throw new DOMException('cancelled', 'AbortError');
    const verdict = coverage.valid ? regress(t, coverage) : undefined;
    if (verdict?.ok === false) return { ok: false, month: t, pivot: verdict.pivot };
    fits.push(verdict === undefined ? null : verdict.fit);
    control.progress?.((t + 1) / coverages.length);
  }
  return { ok: true, fits };
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
  return covarianceMatrix(series.map((returns) => common.map((t) => returns[t]!)));
}

function presentResiduals(symbols: readonly string[], residuals: Float64Array, months: number) {
  const entries = symbols.map((symbol, row): [string, (number | null)[]] => {
    const own = new Array<number | null>(months).fill(null);
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
