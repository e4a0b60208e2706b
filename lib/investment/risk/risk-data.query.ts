import {
  addMonths,
  dateOfDayNumber,
  dayNumber,
  firstDayOfMonth,
  lastCompletedMonth,
  lastDayOfMonth,
  monthIndex,
} from '#lib/core/date.ts';
import { priceCurrencies } from '#lib/data/price-currency.query.ts';
import { closeSeriesTexts, priceSeriesTexts } from '#lib/data/price-series.query.ts';
import type { Em } from '#lib/database/base.ts';
import { lastCloses } from '../portfolios/close.query.ts';
import { readFactorRun } from '../theme-factors/factor-run.query.ts';
import type { RiskData } from './risk-data.ts';
import { BACKTEST, DAILY_ROWS_OF_LIQUIDITY } from './risk-limits.ts';
import type { RiskOptions } from './risk-request.schema.ts';

const FIRST_DAY = '1800-01-01';
/** A benchmark must have a price within this number of rows. */
const ROWS_OF_A_CHECK = 24;
const CALENDAR_DAYS = { perSession: 1.5, more: 15 } as const;

export type MarketQuestion = {
  asOf: string;
  options: RiskOptions;
  /** The symbols of the positions. */
  symbols: readonly string[];
  /** Symbols whose closes are needed, because a portfolio held them at some time in the window. */
  held: readonly string[];
  /** Symbols of benchmarks. */
  benchmarks: readonly string[];
  /** The uid of the theme factor run; null if factors are not included, or if no run exists. */
  factorRun: string | null;
  revisions: Readonly<Record<string, number>>;
  /** Whose currency a close has; undefined for runs that were sealed before closes had a currency. */
  priceCurrency: 'instrument' | undefined;
};

export type RiskMarket = Pick<
  RiskData,
  'closes' | 'prices' | 'history' | 'priceCurrencies' | 'since' | 'rows' | 'volumes' | 'factorRun'
>;

/** Reads the market data for the risk of portfolios, as known at the end of the as-of day. */
export async function riskMarket(em: Em, question: MarketQuestion): Promise<RiskMarket> {
  const { asOf, options, symbols, held, benchmarks, factorRun, revisions, priceCurrency } = question;
  const { frequency, include } = options;
  const rows = rowsOf(options);
  const days = daysOf(asOf, frequency, rows);
  return {
    rows,
    since: days.from,
    history: held.length
      ? await closeSeriesTexts(em, { symbols: held, frequency, ...days, asOf, revisions })
      : [],
    priceCurrencies:
      priceCurrency && held.length
        ? Object.fromEntries(await priceCurrencies(em, { symbols: held, asOf, revisions }))
        : null,
    closes: await lastCloses(em, { symbols, asOf, revisions, priceCurrency }),
    prices: await priceSeriesTexts(em, {
      symbols: [...new Set([...symbols, ...benchmarks])],
      member: 'return',
      frequency,
      ...days,
      asOf,
      revisions,
    }),
    volumes: include.includes('liquidity')
      ? await priceSeriesTexts(em, {
          symbols,
          member: 'volume',
          frequency: 'daily',
          ...daysOf(asOf, 'daily', DAILY_ROWS_OF_LIQUIDITY),
          asOf,
          revisions,
        })
      : null,
    factorRun: factorRun === null ? null : ((await readFactorRun(em, factorRun)) ?? null),
  };
}

/** Whether a symbol has a price in the last `ROWS_OF_A_CHECK` rows up to a day. */
export async function hasPrices(
  em: Em,
  symbol: string,
  {
    asOf,
    frequency,
    revisions,
  }: { asOf: string; frequency: RiskOptions['frequency']; revisions: Readonly<Record<string, number>> },
): Promise<boolean> {
  const found = await priceSeriesTexts(em, {
    symbols: [symbol],
    member: 'return',
    frequency,
    ...daysOf(asOf, frequency, ROWS_OF_A_CHECK),
    asOf,
    revisions,
  });
  return found.length > 0;
}

/** Returns the first day whose prices are read. Realised returns begin on or after this day. */
export function firstDayOf(asOf: string, options: RiskOptions): string {
  return daysOf(asOf, options.frequency, rowsOf(options)).from;
}

/**
 * Returns the maximum number of price rows that a computation reads: one more than the number of its returns.
 */
export function rowsOf({ window, include }: RiskOptions): number {
  return window + 1 + (include.includes('backtest') ? BACKTEST.most : 0);
}

/**
 * Returns the first and the last day of the period to read. The period contains at least `rows` rows if the history is
 * long enough.
 */
function daysOf(asOf: string, frequency: RiskOptions['frequency'], rows: number) {
  if (frequency === 'daily') {
    const days = Math.ceil(rows * CALENDAR_DAYS.perSession) + CALENDAR_DAYS.more;
    return { from: dateOfDayNumber(Math.max(dayNumber(asOf) - days, dayNumber(FIRST_DAY))), until: asOf };
  }
  const last = lastCompletedMonth(asOf < FIRST_DAY ? FIRST_DAY : asOf);
  const months = Math.min(rows - 1, monthIndex(last));
  return { from: firstDayOfMonth(addMonths(last, -months)), until: lastDayOfMonth(last) };
}
