import { denseSeries } from '#lib/data/dense-series.ts';
import type { SymbolPriceText } from '#lib/data/price-text.ts';
import type { ThemeExposure } from '#lib/data/taxonomy.ts';
import type { LastClose } from '../portfolios/close.query.ts';
import type { PortfolioGroup } from '../portfolios/portfolio-group.ts';
import { type PortfolioValue, valuedPositions } from '../portfolios/valued-positions.ts';
import type { ThemeFactorsResult } from '../theme-factors/theme-factors.result.ts';
import { factorModelOf } from './factor-model.ts';
import type { RiskInput } from './risk-input.ts';
import { DAILY_ROWS_OF_LIQUIDITY, type RiskLimits } from './risk-limits.ts';
import type { RiskOptions } from './risk-request.schema.ts';

/** A sealed theme factor run and the exposures of the taxonomy that it used. */
export type FactorRun = {
  run: { uid: string; result_hash: string };
  result: ThemeFactorsResult;
  exposures: ThemeExposure[];
};

/** A portfolio whose risk is computed, and the symbol of its benchmark. */
export type RiskSubject = { uid: string; key: string; benchmark: string | null };

/** All that the risk of portfolios is computed from. Prices are still texts, which a thread receives faster. */
export type RiskData = {
  asOf: string;
  options: RiskOptions;
  limits: RiskLimits;
  subjects: readonly RiskSubject[];
  group: PortfolioGroup;
  closes: readonly LastClose[];
  /** Adjusted closes of the positions and the benchmarks. */
  prices: readonly SymbolPriceText[];
  /** Rows of prices that count, at most. */
  rows: number;
  /** Volumes of the last sessions; null unless liquidity is included. */
  volumes: readonly SymbolPriceText[] | null;
  factorRun: FactorRun | null;
};

export type RiskInputs =
  | { state: 'inconsistent'; detail: string }
  | { state: 'consistent'; input: RiskInput };

/** Returns the input of the risk of each portfolio, in their order. */
export function riskInputs(data: RiskData): RiskInputs[] {
  const { asOf, options, limits, subjects, group, closes, factorRun } = data;
  const values = valuedPositions(group, { keys: subjects.map(({ key }) => key), closes });
  const factorModel = factorRun && factorModelOf(factorRun.run, factorRun);
  return subjects.map(({ uid, key, benchmark }): RiskInputs => {
    const value = values.get(key)!;
    if (value.state === 'inconsistent') return value;
    const { dates, pricesOf } = pricesAt(data, value, benchmark);
    const volumesOf = volumesAt(data, value);
    const own = benchmark === null ? undefined : pricesOf(benchmark);
    return {
      state: 'consistent',
      input: {
        portfolio: uid,
        asOf,
        dates,
        positions: value.positions.map(({ symbol, currency, quantity, valueMinor }) => ({
          symbol,
          currency,
          quantity: Number(quantity) / 1e8,
          valueMinor,
          prices: pricesOf(symbol) ?? new Float64Array(dates.length).fill(Number.NaN),
          volumes: volumesOf(symbol),
        })),
        cash: value.cash,
        realised: null,
        benchmark: benchmark !== null && own ? { symbol: benchmark, prices: own } : null,
        factorModel,
        options,
        limits,
      },
    };
  });
}

type Consistent = Extract<PortfolioValue, { state: 'consistent' }>;

/** The dates are those of the positions, so that a benchmark with other sessions changes no figure of the portfolio. */
function pricesAt({ prices, rows, options }: RiskData, { positions }: Consistent, benchmark: string | null) {
  const calendar = new Set(positions.map(({ symbol }) => symbol));
  const own = prices.filter(({ symbol }) => calendar.has(symbol) || symbol === benchmark);
  const { dates, valuesOf } = denseSeries(own, {
    rows,
    calendar,
    by: options.frequency === 'daily' ? 'day' : 'month',
  });
  return { dates, pricesOf: (symbol: string) => valuesOf.get(symbol) };
}

function volumesAt({ volumes }: RiskData, { positions }: Consistent) {
  if (volumes === null) return () => null;
  const calendar = new Set(positions.map(({ symbol }) => symbol));
  const own = volumes.filter(({ symbol }) => calendar.has(symbol));
  const { valuesOf } = denseSeries(own, { rows: DAILY_ROWS_OF_LIQUIDITY, calendar, by: 'day' });
  return (symbol: string) => valuesOf.get(symbol) ?? null;
}
