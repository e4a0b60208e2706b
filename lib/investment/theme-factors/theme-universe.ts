import { compareText } from '#lib/core/compare-text.ts';
import { countReturns, monthEndPrices } from './month-end-prices.ts';
import type { MonthEndPrices, MonthWindow, PriceSeries } from './month-end-prices.ts';
import { MICRO, type ThemeExposure } from '#lib/data/taxonomy.ts';

/** A symbol with its exposures above 0, at least one, ascending by theme, and with its observed month-end prices. */
export type UniverseSymbol = {
  symbol: string;
  exposures: readonly ThemeExposure[];
  monthEnds: MonthEndPrices;
  returns: number;
};

export type Universe = {
  /** The selected symbols, ordered by symbol in code-unit order. */
  symbols: UniverseSymbol[];
  /**
   * Number of symbols that have an exposure but too few returns. The next member is the number of eligible symbols
   * beyond the maximum number.
   */
  historyShort: number;
  aboveMaximum: number;
  /**
   * Number of returns that a symbol needs. The next member is the largest number of returns of any symbol with an
   * exposure.
   */
  returnsNeeded: number;
  returnsMax: number;
};

/**
 * The selected themes (`kept`) and the other themes of the taxonomy (`excluded`), each ordered by key. `symbolsMax` is
 * the largest number of symbols of any theme.
 */
export type ThemeSelection = { kept: string[]; excluded: string[]; symbolsMax: number };

const RETURNS_MIN = 12;

/**
 * Selects the symbols with at least one exposure above 0 and enough observed returns: for a history of H months, the
 * number n of returns must satisfy n >= 12 and 10 n >= 6 H. Keeps the first `maxSymbols` by n descending, sum of
 * exposures descending, symbol ascending. Returns the kept symbols, ordered by symbol.
 *
 * Throws a `RangeError` on an exposure that is not an integer from 0 to 1,000,000, on two exposures of one symbol to
 * one theme, and on two price series of one symbol. Source: specification of svc_theme_factor_ridge_v1, step 4.
 */
export function selectUniverse(
  exposures: readonly ThemeExposure[],
  prices: readonly PriceSeries[],
  { window, maxSymbols }: { window: MonthWindow; maxSymbols: number },
): Universe {
  const historyMonths = window.months.length - 1;
  const returnsNeeded = Math.max(RETURNS_MIN, Math.floor((6 * historyMonths + 9) / 10));
  const exposed = exposuresBySymbol(exposures);
  const monthEndsOf = monthEndReader(window, Math.min(exposed.size, prices.length));
  const seen = new Set<string>();
  const eligible: { symbol: UniverseSymbol; microTotal: number }[] = [];
  let returnsMax = 0;
  for (const series of prices) {
    if (seen.has(series.symbol)) throw new RangeError(`two price series of ${series.symbol}`);
    seen.add(series.symbol);
    const own = exposed.get(series.symbol);
    if (own === undefined) continue;
    const monthEnds = monthEndsOf(series);
    const returns = countReturns(monthEnds.prices);
    returnsMax = Math.max(returnsMax, returns);
    if (returns < returnsNeeded) continue;
    eligible.push({
      symbol: { symbol: series.symbol, exposures: own, monthEnds, returns },
      microTotal: own.reduce((total, { micro }) => total + micro, 0),
    });
  }
  const ranked = eligible.sort(
    (a, b) =>
      b.symbol.returns - a.symbol.returns ||
      b.microTotal - a.microTotal ||
      compareText(a.symbol.symbol, b.symbol.symbol),
  );
  const symbols = ranked.slice(0, maxSymbols).map(({ symbol }) => symbol);
  return {
    symbols: symbols.sort((a, b) => compareText(a.symbol, b.symbol)),
    historyShort: exposed.size - eligible.length,
    aboveMaximum: eligible.length - symbols.length,
    returnsNeeded,
    returnsMax,
  };
}

/**
 * Selects the themes with at least `minimumSymbols` symbols of the universe. Keeps the first `maxFactors` by number of
 * symbols descending, key ascending. Returns the kept themes, ordered by key. Source: specification of
 * svc_theme_factor_ridge_v1, step 5.
 */
export function selectThemes(
  exposures: readonly ThemeExposure[],
  universe: readonly UniverseSymbol[],
  { minimumSymbols, maxFactors }: { minimumSymbols: number; maxFactors: number },
): ThemeSelection {
  const counts = new Map<string, number>();
  for (const { theme, micro } of exposures) if (micro > 0) counts.set(theme, 0);
  for (const symbol of universe) {
    for (const { theme } of symbol.exposures) counts.set(theme, counts.get(theme)! + 1);
  }
  const ranked = [...counts].sort(([a, countA], [b, countB]) => countB - countA || compareText(a, b));
  const kept = ranked.filter(([, count]) => count >= minimumSymbols).slice(0, maxFactors);
  const keptKeys = new Set(kept.map(([theme]) => theme));
  return {
    kept: [...keptKeys].sort(compareText),
    excluded: [...counts.keys()].filter((theme) => !keptKeys.has(theme)).sort(compareText),
    symbolsMax: ranked[0]?.[1] ?? 0,
  };
}

/**
 * Returns a function that reads the month-end prices of one symbol at a time into a shared buffer for up to `count`
 * symbols. One large buffer is faster than thousands of small buffers.
 */
function monthEndReader(window: MonthWindow, count: number): (series: PriceSeries) => MonthEndPrices {
  const months = window.months.length;
  const prices = new Float64Array(count * months);
  const chosen = new Int32Array(count * months);
  let start = 0;
  return (series) => {
    const end = start + months;
    const space = { prices: prices.subarray(start, end), chosen: chosen.subarray(start, end) };
    start = end;
    return monthEndPrices(series, window, space);
  };
}

function exposuresBySymbol(exposures: readonly ThemeExposure[]): Map<string, ThemeExposure[]> {
  const bySymbol = new Map<string, ThemeExposure[]>();
  for (const exposure of exposures) {
    if (!Number.isInteger(exposure.micro) || exposure.micro < 0 || exposure.micro > MICRO) {
      throw new RangeError(
        `the exposure of ${exposure.symbol} to ${exposure.theme} is not in micro-units: ${exposure.micro}`,
      );
    }
    if (exposure.micro === 0) continue;
    const own = bySymbol.get(exposure.symbol);
    if (own === undefined) bySymbol.set(exposure.symbol, [exposure]);
    else own.push(exposure);
  }
  for (const own of bySymbol.values()) {
    own.sort((a, b) => compareText(a.theme, b.theme));
    for (let i = 1; i < own.length; i += 1) {
      const { symbol, theme } = own[i]!;
      if (theme === own[i - 1]!.theme) throw new RangeError(`${symbol} has two exposures to ${theme}`);
    }
  }
  return bySymbol;
}
