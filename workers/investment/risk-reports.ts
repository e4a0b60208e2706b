import { pinnedRisk, type LoadedRisk } from '#lib/investment/risk/pinned-risk.query.ts';
import { riskReportsRun } from '#lib/investment/risk/risk-reports.run.ts';
import { optionsOf } from '#lib/investment/risk/risk-reports.schema.ts';
import { runner } from '../process/runner.ts';

export default runner(riskReportsRun, {
  /** Reads the events that were pinned and the market data at the pinned revisions. */
  load: (em, { input, datasetRevisions: revisions }): Promise<LoadedRisk> =>
    pinnedRisk(em, input, {
      asOf: input.as_of,
      options: optionsOf(input),
      benchmark: input.benchmark,
      benchmarkPortfolio: input.benchmark_portfolio,
      factorRun: input.factor_run,
      revisions,
    }),
  compute: new URL('./risk-reports.compute.ts', import.meta.url),
});
