import type { Em } from '#lib/database/base.ts';
import { readPinned } from '../portfolios/pinned-portfolio.query.ts';
import type { PinnedPortfolio } from '../portfolios/pinned-portfolio.schema.ts';
import { firstDayOf, riskMarket, rowsOf } from './risk-data.query.ts';
import type { RiskData } from './risk-data.ts';
import { REPORT_LIMITS } from './risk-limits.ts';
import type { RiskOptions } from './risk-request.schema.ts';

/**
 * The maximum number of symbols that are loaded: one for each position, and 500 symbols that are no longer
 * held, for example because they were sold after a split.
 */
const SYMBOLS_MAX = REPORT_LIMITS.positions + 500;

/**
 * The data of the risk of a pinned portfolio. If the portfolio has too many symbols, no data is loaded, and the numbers
 * of symbols and rows are returned for the refusal.
 */
export type LoadedRisk = { data: RiskData } | { data: null; symbols: number; rows: number };

export type PinnedRiskQuestion = {
  asOf: string;
  options: RiskOptions;
  /** The symbol of the benchmark, and the portfolio that is the benchmark. */
  benchmark: string | null;
  benchmarkPortfolio: PinnedPortfolio | undefined;
  factorRun: string | null;
  revisions: Readonly<Record<string, number>>;
};

/** Reads the events that were pinned and the market data at the pinned revisions. */
export async function pinnedRisk(
  em: Em,
  pinned: PinnedPortfolio,
  { asOf, options, benchmark, benchmarkPortfolio: other, factorRun, revisions }: PinnedRiskQuestion,
): Promise<LoadedRisk> {
  const first = firstDayOf(asOf, options);
  const since = options.basis === 'realised' ? first : undefined;
  const { group, symbols } = await readPinned(em, pinned, { asOf, revisions, since });
  const compared = other && (await readPinned(em, other, { asOf, revisions, since: first }));
  const most = Math.max(symbols.length, compared?.symbols.length ?? 0);
  if (most > SYMBOLS_MAX) return { data: null, symbols: most, rows: rowsOf(options) };
  const market = await riskMarket(em, {
    asOf,
    options,
    symbols,
    held: [...new Set([...(since === undefined ? [] : symbols), ...(compared?.symbols ?? [])])],
    benchmarks: benchmark === null ? [] : [benchmark],
    factorRun,
    revisions,
    priceCurrency: pinned.price_currency,
  });
  const subjects = [{ uid: pinned.portfolio_uid, key: pinned.portfolio, benchmark }];
  const benchmarkPortfolio = compared ? { key: other!.portfolio, group: compared.group } : null;
  return { data: { asOf, options, limits: REPORT_LIMITS, subjects, benchmarkPortfolio, group, ...market } };
}
