import { readPinned } from '#lib/investment/portfolios/pinned-portfolio.query.ts';
import { riskMarket, rowsOf } from '#lib/investment/risk/risk-data.query.ts';
import type { RiskData } from '#lib/investment/risk/risk-data.ts';
import { REPORT_LIMITS } from '#lib/investment/risk/risk-limits.ts';
import { riskReportsRun } from '#lib/investment/risk/risk-reports.run.ts';
import { optionsOf } from '#lib/investment/risk/risk-reports.schema.ts';
import { runner } from '../process/runner.ts';

/** Symbols that are loaded, at most: those of the positions, and some that were sold after a split. */
const SYMBOLS_MAX = REPORT_LIMITS.positions + 500;

/** The data of a report, or the number of symbols if it is too large to load. */
export type LoadedRiskReport = { data: RiskData } | { data: null; symbols: number; rows: number };

export default runner(riskReportsRun, {
  /** Reads the events that were pinned and the market data at the pinned revisions. */
  load: async (em, { input, datasetRevisions: revisions }): Promise<LoadedRiskReport> => {
    const { as_of: asOf, benchmark } = input;
    const options = optionsOf(input);
    const { group, symbols } = await readPinned(em, input, { asOf, revisions });
    if (symbols.length > SYMBOLS_MAX) return { data: null, symbols: symbols.length, rows: rowsOf(options) };
    const market = await riskMarket(em, {
      asOf,
      options,
      symbols,
      benchmarks: benchmark === null ? [] : [benchmark],
      factorRun: input.factor_run,
      revisions,
    });
    const subjects = [{ uid: input.portfolio_uid, key: input.portfolio, benchmark }];
    return { data: { asOf, options, limits: REPORT_LIMITS, subjects, group, ...market } };
  },
  compute: new URL('./risk-reports.compute.ts', import.meta.url),
});
