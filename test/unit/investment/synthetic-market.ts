import { readFileSync } from 'node:fs';
import { addMonths, lastDayOfMonth } from '#lib/core/date.ts';
import type { PriceSeries } from '#lib/investment/theme-factors/month-end-prices.ts';
import { type ThemeExposure, exposureMicro } from '#lib/data/taxonomy.ts';
import {
  type ThemeFactorsData,
  type ThemeFactorsOutcome,
  type ThemeFactorsRequest,
  themeFactors,
} from '#lib/investment/theme-factors/theme-factors.ts';

export type Taxonomy = NonNullable<ThemeFactorsData['taxonomy']>;

/** The last month of the synthetic markets. The as-of date of every run is its last day. */
export const LAST_MONTH = '2020-09';

export function requestOf(changes: Partial<ThemeFactorsRequest> = {}): ThemeFactorsRequest {
  return {
    as_of_date: lastDayOfMonth(LAST_MONTH),
    history_months: 20,
    ridge_lambda: 0.1,
    minimum_symbols_per_factor: 3,
    max_factors: 24,
    max_symbols: 500,
    ...changes,
  };
}

export function taxonomyOf(exposures: ThemeExposure[]): Taxonomy {
  return { version: '2020.1', publishedAt: '2020-01-02T00:00:00Z', exposures };
}

/**
 * Returns exposures from an object of themes, each with the decimal exposures of its symbols: `{ ai: { AAPL:
 * '0.5' } }`.
 */
export function exposuresOf(themes: Record<string, Record<string, string>>): ThemeExposure[] {
  return Object.entries(themes).flatMap(([theme, symbols]) =>
    Object.entries(symbols).map(([symbol, exposure]) => ({ theme, symbol, micro: exposureMicro(exposure) })),
  );
}

/**
 * Returns month-end prices up to the last month. Each element is the price of one month; null means that the
 * price is missing.
 */
export function monthlySeries(symbol: string, prices: readonly (string | null)[]): PriceSeries {
  return {
    symbol,
    observations: prices.flatMap((price, position) => {
      const month = addMonths(LAST_MONTH, position - prices.length + 1);
      return price === null ? [] : { date: lastDayOfMonth(month), price };
    }),
  };
}

/** Returns the first `count` prices of a pseudo-random walk that depends only on the symbol. */
export function wanderingPrices(symbol: string, count: number): string[] {
  let state = 1;
  for (const character of symbol) state = (Math.imul(state, 31) + character.charCodeAt(0)) >>> 0;
  let price = 50;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    price *= 0.9 + 0.21 * (state / 4_294_967_296);
    return price.toFixed(4);
  });
}

/** Returns `count` symbols: S00, S01, and so on. */
export function symbolsOf(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `S${String(i).padStart(2, '0')}`);
}

/**
 * Returns a market of random-walk prices with 20 months of returns. `gaps` lists positions without a price;
 * position 0 is the month before the first return.
 */
export function marketOf(
  symbols: readonly string[],
  { months = 21, gaps = {} }: { months?: number; gaps?: Record<string, readonly number[]> } = {},
): PriceSeries[] {
  return symbols.map((symbol) => {
    const missing = new Set(Object.hasOwn(gaps, symbol) ? gaps[symbol] : []);
    return monthlySeries(
      symbol,
      wanderingPrices(symbol, months).map((price, position) => (missing.has(position) ? null : price)),
    );
  });
}

export function succeed(request: ThemeFactorsRequest, data: ThemeFactorsData) {
  const outcome = themeFactors(request, data);
  if (!outcome.ok) throw new Error(`refused: ${outcome.refusal.detail}`);
  return outcome;
}

export function refusalOf(outcome: ThemeFactorsOutcome) {
  if (outcome.ok) throw new Error('not refused');
  return outcome.refusal;
}

type SmallFile = {
  prices: Record<string, [string, string][]>;
  taxonomy: {
    version: string;
    published_at: string;
    rows: { theme: string; symbol: string; exposure: number }[];
  }[];
  canonical_sha256: string;
  result: {
    request: ThemeFactorsRequest;
    factors: { theme: string }[];
    excluded_factors: string[];
    symbols: string[];
  };
  specific_returns: Record<string, (number | null)[]>;
};

/** Returns the self-contained golden case: its prices, its taxonomy versions and the expected result. */
export function goldenSmall() {
  const path = new URL('../../golden/factors_small.json', import.meta.url);
  const golden = JSON.parse(readFileSync(path, 'utf8')) as SmallFile;
  const prices: PriceSeries[] = Object.entries(golden.prices).map(([symbol, rows]) => ({
    symbol,
    observations: rows.map(([date, price]) => ({ date, price })),
  }));
  const versions: Taxonomy[] = golden.taxonomy.map(({ version, published_at, rows }) => ({
    version,
    publishedAt: published_at,
    exposures: rows.map(({ theme, symbol, exposure }) => ({
      theme,
      symbol,
      micro: exposureMicro(String(exposure)),
    })),
  }));
  return { golden, request: golden.result.request, prices, versions };
}
