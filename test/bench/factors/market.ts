import { lastDayOfMonth, monthIndex, monthOfIndex } from '#lib/core/date.ts';
import { selectTaxonomyVersion, type ThemeExposure } from '#lib/data/taxonomy.ts';
import type { PriceSeries } from '#lib/investment/theme-factors/month-end-prices.ts';
import type { ThemeFactorsData, ThemeFactorsRequest } from '#lib/investment/theme-factors/theme-factors.ts';
import { readPrices, readTaxonomy } from '../../golden/market-files.ts';
import { sampleImports } from '#lib/data/sample.ts';

export type Market = { request: ThemeFactorsRequest; data: ThemeFactorsData };

export type Shape = { symbols: number; months: number; themes: number; themesPerSymbol: number };

const LAST_MONTH = '2020-09';
/** On average, one price in this number of prices is missing. */
const MISSING_ONE_IN = 50;

/** Returns the request of the golden case A, with the data of the shipped sample. */
export function sampleMarket(): Market {
  const fileOf = (kind: string) => sampleImports.find((each) => each.kind === kind)!.path;
  const request = requestOf({ months: 60, symbols: 500, themes: 24 });
  const taxonomy = selectTaxonomyVersion(readTaxonomy(fileOf('taxonomy')), request.as_of_date);
  return { request, data: { taxonomy, prices: readPrices(fileOf('prices')) } };
}

/**
 * Generates prices that follow a random walk with gaps, and random exposures. The same shape always gives the
 * same values.
 */
export function syntheticMarket(shape: Shape): Market {
  const random = generator(shape.symbols * 31 + shape.themesPerSymbol);
  const symbols = Array.from({ length: shape.symbols }, (_, at) => `S${String(at).padStart(5, '0')}`);
  const base = monthIndex(LAST_MONTH) - shape.months;
  const days = Array.from({ length: shape.months + 1 }, (_, at) => lastDayOfMonth(monthOfIndex(base + at)));
  const exposures: ThemeExposure[] = symbols.flatMap((symbol, row) =>
    Array.from({ length: shape.themesPerSymbol }, (_, at) => ({
      theme: `theme_${String((row * 7 + at * 13) % shape.themes).padStart(2, '0')}`,
      symbol,
      micro: 1 + Math.floor(random() * 999_999),
    })),
  );
  const taxonomy = { version: '2020.1', publishedAt: '2020-01-02T00:00:00Z', exposures };
  const prices = symbols.map((symbol) => wanderingSeries(symbol, days, random));
  return { request: requestOf(shape), data: { taxonomy, prices } };
}

function wanderingSeries(symbol: string, days: readonly string[], random: () => number): PriceSeries {
  let price = 20 + 100 * random();
  const observations = days.flatMap((date) => {
    price *= 0.9 + 0.21 * random();
    return random() * MISSING_ONE_IN < 1 ? [] : [{ date, price: price.toFixed(4) }];
  });
  return { symbol, observations };
}

function requestOf({
  months,
  symbols,
  themes,
}: Pick<Shape, 'months' | 'symbols' | 'themes'>): ThemeFactorsRequest {
  return {
    as_of_date: lastDayOfMonth(LAST_MONTH),
    history_months: months,
    ridge_lambda: 0.1,
    minimum_symbols_per_factor: 10,
    max_factors: themes,
    max_symbols: symbols,
  };
}

/** Generates fractions below 1 from the upper bits of a linear congruential generator. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}
