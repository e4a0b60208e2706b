import {
  addMonths,
  dateOfDayNumber,
  dayNumber,
  firstDayOfMonth,
  lastCompletedMonth,
  lastDayOfMonth,
  monthIndex,
} from '#lib/core/date.ts';
import { priceSeriesTexts } from '#lib/data/price-series.query.ts';
import { publishedTaxonomyVersions, taxonomyExposures } from '#lib/data/taxonomy.query.ts';
import { selectTaxonomyVersion } from '#lib/data/taxonomy.ts';
import type { Em } from '#lib/database/base.ts';
import { findRun } from '#lib/pipeline/run.write.ts';
import { lastCloses } from '../portfolios/close.query.ts';
import type { ThemeFactorsRequest } from '../theme-factors/theme-factors.request.ts';
import type { ThemeFactorsResult } from '../theme-factors/theme-factors.result.ts';
import type { FactorRun, RiskData } from './risk-data.ts';
import { BACKTEST, DAILY_ROWS_OF_LIQUIDITY } from './risk-limits.ts';
import type { RiskOptions } from './risk-request.schema.ts';

const FIRST_DAY = '1800-01-01';
/** Rows in which a benchmark must have a price. */
const ROWS_OF_A_CHECK = 24;
const CALENDAR_DAYS = { perSession: 1.5, more: 15 } as const;

export type MarketQuestion = {
  asOf: string;
  options: RiskOptions;
  /** Symbols of positions, and of benchmarks. */
  symbols: readonly string[];
  benchmarks: readonly string[];
  /** The theme factor run; null if factors are not included or there is none. */
  factorRun: string | null;
  revisions: Readonly<Record<string, number>>;
};

export type RiskMarket = Pick<RiskData, 'closes' | 'prices' | 'rows' | 'volumes' | 'factorRun'>;

/** Reads the market data of the risk of portfolios, as known by the end of the as-of day. */
export async function riskMarket(em: Em, question: MarketQuestion): Promise<RiskMarket> {
  const { asOf, options, symbols, benchmarks, factorRun, revisions } = question;
  const { frequency, include } = options;
  const rows = rowsOf(options);
  return {
    rows,
    closes: await lastCloses(em, { symbols, asOf, revisions }),
    prices: await priceSeriesTexts(em, {
      symbols: [...new Set([...symbols, ...benchmarks])],
      member: 'return',
      frequency,
      ...daysOf(asOf, frequency, rows),
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
    factorRun: factorRun === null ? null : await readFactorRun(em, factorRun),
  };
}

/** Whether a symbol has a price up to a day. */
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

/** Returns the number of prices that a computation reads at most: one more than its returns. */
export function rowsOf({ window, include }: RiskOptions): number {
  return window + 1 + (include.includes('backtest') ? BACKTEST.most : 0);
}

/** Returns the days on which this number of rows was observed. There may be more of them. */
function daysOf(asOf: string, frequency: RiskOptions['frequency'], rows: number) {
  if (frequency === 'daily') {
    const days = Math.ceil(rows * CALENDAR_DAYS.perSession) + CALENDAR_DAYS.more;
    return { from: dateOfDayNumber(Math.max(dayNumber(asOf) - days, dayNumber(FIRST_DAY))), until: asOf };
  }
  const last = lastCompletedMonth(asOf < FIRST_DAY ? FIRST_DAY : asOf);
  const months = Math.min(rows - 1, monthIndex(last));
  return { from: firstDayOfMonth(addMonths(last, -months)), until: lastDayOfMonth(last) };
}

/** Reads a sealed run with the exposures that it used. Null if its taxonomy can no longer be read. */
async function readFactorRun(em: Em, uid: string): Promise<FactorRun | null> {
  const found = await findRun(em, uid);
  if (!found?.result) throw new Error(`the theme factor run ${uid} has no result`);
  const { run, result } = found;
  // The input and the result were checked against the declaration of the run.
  const input = run.input as ThemeFactorsRequest;
  const members = result.members as { result: ThemeFactorsResult };
  const versions = await publishedTaxonomyVersions(em, run.datasetRevisions);
  const own = versions.filter((version) => !version.isPlatform);
  const chosen = selectTaxonomyVersion(own.length ? own : versions, input.as_of_date);
  if (!chosen) return null;
  return {
    run: { uid, result_hash: result.resultHash },
    result: members.result,
    exposures: await taxonomyExposures(em, chosen.id),
  };
}
