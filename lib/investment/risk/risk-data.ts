import { denseSeries } from '#lib/data/dense-series.ts';
import type { SymbolCloseText } from '#lib/data/price-series.query.ts';
import type { SymbolPriceText } from '#lib/data/price-text.ts';
import type { LastClose } from '../portfolios/close.query.ts';
import type { PortfolioGroup } from '../portfolios/portfolio-group.ts';
import { type PortfolioValue, valuedPositions } from '../portfolios/valued-positions.ts';
import type { FactorRun } from '../theme-factors/factor-run.query.ts';
import { factorModelOf } from './factor-model.ts';
import { pathReader } from './portfolio-paths.ts';
import type { Closes } from './realised-path.ts';
import type { RiskInput } from './risk-input.ts';
import { DAILY_ROWS_OF_LIQUIDITY, type RiskLimits } from './risk-limits.ts';
import type { RiskOptions } from './risk-request.schema.ts';

/** A portfolio whose risk is computed, and the symbol of its benchmark. */
export type RiskSubject = { uid: string; key: string; benchmark: string | null };

/** A portfolio that is the benchmark, with the events of its group. */
export type BenchmarkPortfolio = { key: string; group: PortfolioGroup };

/**
 * All data from which the risk of portfolios is computed. Prices are still texts, because texts are
 * transferred to a thread faster.
 */
export type RiskData = {
  asOf: string;
  options: RiskOptions;
  limits: RiskLimits;
  subjects: readonly RiskSubject[];
  /** The benchmark of the only subject, if this benchmark is a portfolio. */
  benchmarkPortfolio: BenchmarkPortfolio | null;
  group: PortfolioGroup;
  closes: readonly LastClose[];
  /** Adjusted closes of the positions and the benchmarks. */
  prices: readonly SymbolPriceText[];
  /** Closes of the symbols that portfolios held in the window; empty unless realised returns are needed. */
  history: readonly SymbolCloseText[];
  /**
   * The currency of these closes by symbol. A symbol whose currency is unknown is absent. Null if closes have the
   * currency of the lots.
   */
  priceCurrencies: Readonly<Record<string, string>> | null;
  /** The first day whose prices are read. */
  since: string;
  /** Maximum number of price rows to use. */
  rows: number;
  /** Volumes of the last sessions; null unless liquidity is included. */
  volumes: readonly SymbolPriceText[] | null;
  factorRun: FactorRun | null;
};

export type RiskInputs =
  | { state: 'inconsistent'; detail: string }
  | { state: 'consistent'; input: RiskInput };

/** Returns the input of the risk of each portfolio, in the order of the portfolios. */
export function riskInputs(data: RiskData): RiskInputs[] {
  const { asOf, options, limits, subjects, group, closes, factorRun, benchmarkPortfolio: other } = data;
  const values = valuedPositions(group, { keys: subjects.map(({ key }) => key), closes });
  const factorModel = factorRun && factorModelOf(factorRun.run, factorRun);
  const paths = pathReader(data);
  const compared = other && valuedPositions(other.group, { keys: [other.key], closes: [] }).get(other.key)!;
  return subjects.map(({ uid, key, benchmark }): RiskInputs => {
    const value = values.get(key)!;
    if (value.state === 'inconsistent') return value;
    if (compared?.state === 'inconsistent')
      return { state: 'inconsistent', detail: `The benchmark is not consistent. ${compared.detail}` };
    const held = options.basis === 'realised' ? paths.heldBy(group, key) : null;
    const { dates, pricesOf, closesOf } = pricesAt(data, { value, benchmark, held });
    const volumesOf = volumesAt(data, value);
    const own = benchmark === null ? undefined : pricesOf(benchmark);
    return {
      state: 'consistent',
      input: {
        portfolio: uid,
        asOf,
        dates,
        positions: value.positions.map(({ symbol, currency, quantity, valueMinor, otherCurrency }) => ({
          symbol,
          currency,
          quantity: Number(quantity) / 1e8,
          valueMinor,
          otherCurrency,
          prices: pricesOf(symbol) ?? new Float64Array(dates.length).fill(Number.NaN),
          volumes: volumesOf(symbol),
        })),
        cash: value.cash,
        realised:
          held && paths.pathOf(group, key, { dates, closesOf: inCurrency(data, group, key, closesOf) }),
        benchmark: other
          ? {
              portfolio: other.key,
              path: paths.pathOf(other.group, other.key, {
                dates,
                closesOf: inCurrency(data, other.group, other.key, closesOf),
              }),
            }
          : benchmark !== null && own
            ? { symbol: benchmark, prices: own }
            : null,
        factorModel,
        options,
        limits,
      },
    };
  });
}

/**
 * Limits closes to those in the currency of a position. A close whose currency is unknown is assumed to be in the base
 * currency of the portfolio.
 */
function inCurrency(
  { priceCurrencies }: RiskData,
  { portfolios }: PortfolioGroup,
  key: string,
  closesOf: (symbol: string) => Closes | undefined,
): (symbol: string, currency: string) => Closes | undefined {
  if (priceCurrencies === null) return closesOf;
  const { baseCurrency } = portfolios.find(({ portfolio }) => portfolio === key)!;
  return (symbol, currency) =>
    (priceCurrencies[symbol] ?? baseCurrency) === currency ? closesOf(symbol) : undefined;
}

type Consistent = Extract<PortfolioValue, { state: 'consistent' }>;

/**
 * Returns the prices and the closes at the dates on which a position has a price or, if `held` is given, a symbol in
 * `held` has a close. Sessions on which only the benchmark has a price do not change the figures of the portfolio.
 */
function pricesAt(
  { prices, history, rows, options }: RiskData,
  {
    value: { positions },
    benchmark,
    held,
  }: { value: Consistent; benchmark: string | null; held: ReadonlySet<string> | null },
) {
  const own = new Set(positions.map(({ symbol }) => symbol));
  // No symbol contains a space, so the name of a series of closes cannot be a symbol.
  const closes = history.map(({ symbol, observations }) => ({ symbol: `close ${symbol}`, observations }));
  const { dates, valuesOf } = denseSeries(
    [...prices.filter(({ symbol }) => own.has(symbol) || symbol === benchmark), ...closes],
    {
      rows,
      calendar: held ? new Set([...held].map((symbol) => `close ${symbol}`)) : own,
      by: options.frequency === 'daily' ? 'day' : 'month',
    },
  );
  const adjusted = new Set(
    history.flatMap(({ symbol, isSplitAdjusted }) => (isSplitAdjusted ? [symbol] : [])),
  );
  const closesOf = (symbol: string) => {
    const found = valuesOf.get(`close ${symbol}`);
    return found && { prices: found, isSplitAdjusted: adjusted.has(symbol) };
  };
  return { dates, pricesOf: (symbol: string) => valuesOf.get(symbol), closesOf };
}

function volumesAt({ volumes }: RiskData, { positions }: Consistent) {
  if (volumes === null) return () => null;
  const calendar = new Set(positions.map(({ symbol }) => symbol));
  const own = volumes.filter(({ symbol }) => calendar.has(symbol));
  const { valuesOf } = denseSeries(own, { rows: DAILY_ROWS_OF_LIQUIDITY, calendar, by: 'day' });
  return (symbol: string) => valuesOf.get(symbol) ?? null;
}
