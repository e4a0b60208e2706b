import { compareText } from '#lib/core/compare-text.ts';
import { divideHalfEven, type Fraction, ONE } from '#lib/core/decimal.ts';
import { minorDigits } from '#lib/core/money.ts';
import { denseSeries } from '#lib/data/dense-series.ts';
import { readPriceText, type SymbolPriceText } from '#lib/data/price-text.ts';
import { MICRO, type ThemeExposure } from '#lib/data/taxonomy.ts';
import type { LastClose } from '../portfolios/close.query.ts';
import type { Lot } from '../portfolios/lot.ts';
import { pricesBySymbol, readerOfPrices } from '../portfolios/lot-values.ts';
import type { PortfolioEvent, SplitAction } from '../portfolios/portfolio-event.ts';
import type { PortfolioGroup } from '../portfolios/portfolio-group.ts';
import { positionsOf } from '../portfolios/positions.ts';
import { factorModelOf } from '../risk/factor-model.ts';
import { monthlyReturns } from '../tax/monthly-returns.ts';
import type { FactorRun } from '../theme-factors/factor-run.query.ts';
import type {
  ConstructionAsset,
  ConstructionFactorModel,
  ConstructionHolding,
  ConstructionInput,
} from './construction-input.ts';
import { refused } from './construction-refusal.ts';
import type { KnownInstrument } from './construction-market.query.ts';
import type { ConstructionRunInput } from './construction-run.schema.ts';
import { relievedLots } from './relieved-lots.ts';

/** The data of a construction, as known at its as-of date. */
export type ConstructionData = {
  group: PortfolioGroup;
  /** The group of the portfolio that is the benchmark; null if the benchmark is not a portfolio. */
  benchmarkGroup: PortfolioGroup | null;
  /** The symbols of the universe; null if the universe is the holdings of the portfolio. */
  listed: string[] | null;
  /** Number of symbols in the universe, the holdings and the benchmark together. */
  symbols: number;
  /**
   * Whether there are more symbols or prices than a construction may read. If true, no other data are read.
   */
  isTooLarge: boolean;
  instruments: KnownInstrument[];
  exposures: ThemeExposure[];
  closes: LastClose[];
  prices: SymbolPriceText[];
  volumes: SymbolPriceText[];
  feature: Record<string, number> | null;
  /**
   * The run of the estimator `factor_run`. Undefined without this estimator, or if the taxonomy of the run
   * can no longer be read.
   */
  factorRun: FactorRun | undefined;
};

const MONTHS_PER_YEAR = 12;
const PERIODS = { daily: 252, monthly: MONTHS_PER_YEAR };

/**
 * Returns the self-contained input of a construction: holdings with their lots, cash, and assets with their returns.
 * `lots` are the lots of the portfolio, and `events` are the events of its group. Throws a refusal if there is cash, or a
 * price, in another currency.
 */
export function constructionOf(
  input: ConstructionRunInput,
  data: ConstructionData,
  { lots, events }: { lots: readonly Lot[]; events: readonly PortfolioEvent[] },
): ConstructionInput {
  const { risk, costs, tax, constraints, portfolio, as_of: asOf } = input;
  const terms = data.group.portfolios.find((each) => each.portfolio === portfolio)!;
  const currency = terms.baseCurrency;
  const closes = pricesBySymbol(data.closes, terms);
  const read = readerOfPrices(closes, asOf);
  const priceOf = (symbol: string) => fixedOf(read(symbol, currency).fraction);
  const held = [...new Set(lots.map(({ symbol }) => symbol))];
  requireCurrency([...(data.listed ?? []), ...held], { currency, read });
  const holdings = [...Map.groupBy(lots, ({ symbol }) => symbol)].map(
    ([symbol, own]): ConstructionHolding => ({
      symbol,
      currency: own[0]!.currency,
      quantity: own.reduce((sum, { quantity }) => sum + quantity, 0n),
      price: priceOf(symbol),
      lots: relievedLots(own, { relief: terms.lotRelief, asOf, price: priceOf(symbol), currency }),
    }),
  );
  const { cash_min: cashMin, ...limits } = constraints;
  return {
    request: {
      as_of: asOf,
      excluded: input.excluded,
      objective: input.objective,
      returns: input.returns,
      risk_free: input.risk_free,
      risk: {
        estimator: risk.estimator,
        frequency: risk.frequency,
        window: risk.window,
        ...(risk.half_life === null ? {} : { half_life: risk.half_life }),
      },
      // A minimum cash of 0 never binds, so it is left out.
      constraints: cashMin ? constraints : limits,
      ...(costs && { costs }),
      ...(tax && { tax }),
      frontier_points: input.frontier_points,
      cash_added_minor: input.cash_added_minor,
    },
    currency,
    minorDigits: minorDigits(currency)!,
    cashMinor: cashOf(input, { events, splits: data.group.splits, currency }),
    assets: assetsOf(input, data, { held, priceOf, currency }),
    holdings,
    periodsPerYear: PERIODS[risk.frequency],
    benchmark: input.benchmark,
    hasBenchmarkCash: data.benchmarkGroup !== null,
    feature: data.feature,
    factorModel: factorModelOfRun(data.factorRun),
  };
}

const SYMBOLS_NAMED = 20;

/** Throws a refusal that names the symbols whose closes are in another currency than the portfolio. */
function requireCurrency(
  symbols: readonly string[],
  { currency, read }: { currency: string; read: ReturnType<typeof readerOfPrices> },
): void {
  const others = [...new Set(symbols)]
    .flatMap((symbol) => {
      const { otherCurrency } = read(symbol, currency);
      return otherCurrency === null ? [] : [{ symbol, otherCurrency }];
    })
    .toSorted((a, b) => compareText(a.symbol, b.symbol));
  if (others.length === 0) return;
  const currencies = [...new Set([currency, ...others.map((each) => each.otherCurrency)])].sort(compareText);
  const named = others.slice(0, SYMBOLS_NAMED).map(({ symbol }) => symbol);
  const detail = `The portfolio is in ${currency}, but the closes of ${named.join(', ')} are in ${currencies.filter((each) => each !== currency).join(', ')}. A construction needs one currency.`;
  throw refused('currencies_mixed', detail, { currencies, symbols: named });
}

function fixedOf(fraction: Fraction | null): bigint | null {
  return fraction && divideHalfEven(fraction.numerator * ONE, fraction.denominator);
}

function cashOf(
  { portfolio, as_of: asOf }: ConstructionRunInput,
  {
    events,
    splits,
    currency,
  }: { events: readonly PortfolioEvent[]; splits: readonly SplitAction[]; currency: string },
): bigint {
  const own = events.filter((event) => event.portfolio === portfolio);
  const held = positionsOf({ events: own, splits, asOf }).cash.filter(
    ({ amountMinor }) => amountMinor !== 0n,
  );
  if (held.some((cash) => cash.currency !== currency)) {
    const currencies = [...new Set([currency, ...held.map((cash) => cash.currency)])].sort(compareText);
    const detail = `The portfolio has cash in ${currencies.join(', ')}. A construction needs one currency.`;
    throw refused('currencies_mixed', detail, { currencies });
  }
  return held[0]?.amountMinor ?? 0n;
}

function assetsOf(
  input: ConstructionRunInput,
  data: ConstructionData,
  {
    held,
    priceOf,
    currency,
  }: { held: readonly string[]; priceOf: (symbol: string) => bigint | null; currency: string },
): ConstructionAsset[] {
  const eligible = new Set(data.listed ?? held);
  const symbols = [...new Set([...eligible, ...Object.keys(input.benchmark ?? {})])].sort(compareText);
  const known = new Map(data.instruments.map((each) => [each.symbol, each]));
  const quoted = new Map(data.closes.map((close) => [close.symbol, close.currency]));
  const returns = returnsOf(input, data.prices, new Set(symbols));
  const volumes = mediansOf(data.volumes);
  const themes = Map.groupBy(data.exposures, ({ symbol }) => symbol);
  const none = new Float64Array(input.risk.window).fill(Number.NaN);
  return symbols.map((symbol) => ({
    symbol,
    currency: quoted.get(symbol) ?? known.get(symbol)?.currency ?? currency,
    isEligible: eligible.has(symbol),
    sector: known.get(symbol)?.sector ?? null,
    themes: Object.fromEntries((themes.get(symbol) ?? []).map(({ theme, micro }) => [theme, micro / MICRO])),
    returns: returns.get(symbol) ?? none.subarray(0, returns.rows),
    price: priceOf(symbol),
    volume: volumes.get(symbol) ?? null,
  }));
}

type Returns = { get(symbol: string): ArrayLike<number> | undefined; rows: number };

/** Returns the simple returns of the window, oldest first; NaN if a price is missing. */
function returnsOf(
  { as_of: asOf, risk: { frequency, window } }: ConstructionRunInput,
  prices: readonly SymbolPriceText[],
  symbols: ReadonlySet<string>,
): Returns {
  if (frequency === 'monthly') {
    const monthly = new Map(
      Object.entries(monthlyReturns(prices.map(readPriceText), { asOf, months: window })),
    );
    return { get: (symbol) => monthly.get(symbol)?.map((each) => each ?? Number.NaN), rows: window };
  }
  const { dates, valuesOf } = denseSeries(prices, { rows: window + 1, calendar: symbols, by: 'day' });
  const rows = Math.max(dates.length - 1, 0);
  return {
    get: (symbol) => {
      const series = valuesOf.get(symbol);
      return series && Float64Array.from({ length: rows }, (_, t) => series[t + 1]! / series[t]! - 1);
    },
    rows,
  };
}

const SESSIONS = 21;
const SESSIONS_MIN = 11;

/**
 * Returns the median volume of the last 21 sessions by symbol. A symbol with fewer than 11 volumes, or with a
 * median of 0, is left out.
 */
function mediansOf(volumes: readonly SymbolPriceText[]): Map<string, number> {
  const symbols = new Set(volumes.map(({ symbol }) => symbol));
  const { valuesOf } = denseSeries(volumes, { rows: SESSIONS, calendar: symbols, by: 'day' });
  const medians = new Map<string, number>();
  for (const [symbol, values] of valuesOf) {
    const sorted = values.filter((each) => !Number.isNaN(each)).sort((a, b) => a - b);
    if (sorted.length < SESSIONS_MIN) continue;
    const [low, high] = [sorted[(sorted.length - 1) >> 1]!, sorted[sorted.length >> 1]!];
    if (high > 0) medians.set(symbol, (low + high) / 2);
  }
  return medians;
}

/** Returns the annual risk model of a sealed theme factor run; null if there is no run. */
function factorModelOfRun(factorRun: FactorRun | undefined): ConstructionFactorModel | null {
  const model = factorRun && factorModelOf(factorRun.run, factorRun);
  if (!model) return null;
  return {
    exposures: Object.fromEntries([...model.exposuresOf].map(([symbol, own]) => [symbol, [...own]])),
    factorCovariance: model.covariance.map((row) => row.map((each) => each * MONTHS_PER_YEAR)),
    specificVariances: Object.fromEntries(
      [...model.specificOf].map(([symbol, monthly]) => [symbol, monthly * monthly * MONTHS_PER_YEAR]),
    ),
  };
}
