import { utcDate } from '#lib/core/clock.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed } from '#lib/core/schema.ts';
import { currentRevisions } from '#lib/data/dataset.query.ts';
import { defineRun } from '#lib/pipeline/define-run.ts';
import { requirePastDay } from '../portfolios/past-day.ts';
import { pinPortfolio } from '../portfolios/pinned-portfolio.query.ts';
import { groupRefusals } from '../portfolios/portfolio.query.ts';
import { latestFactorRun } from '../theme-factors/factor-run.query.ts';
import { chosenBenchmark } from './chosen-benchmark.query.ts';
import { FREQUENCIES } from './risk-limits.ts';
import { RiskReportData, RiskReportInput } from './risk-reports.schema.ts';
import { riskParts, RiskReportRequestBody } from './risk-request.schema.ts';
import { RiskResult } from './risk-result.schema.ts';

/** The run that seals the risk of a portfolio, with the body of GET /investment/risk as its result. */
export const riskReportsRun = defineRun({
  key: 'investment.risk-reports',
  prefix: prefixes.riskReport,
  queue: 'numerics',
  scope: 'investment:run',
  resource: '/investment/risk-reports',
  model: 'svc_portfolio_risk_v1',
  request: RiskReportRequestBody,
  input: RiskReportInput,
  summary: ['portfolio_uid', 'portfolio', 'as_of', 'frequency'],
  output: Closed({ input_data: RiskReportData, result: RiskResult }),
  headline: [
    { name: 'value', unit: 'minor', pointer: '/result/value_minor' },
    { name: 'volatility', unit: 'fraction', pointer: '/result/volatility' },
  ],
  attachments: Closed({}),
  refusals: groupRefusals,
  problems: [
    'portfolio_inconsistent',
    'too_large',
    'currencies_mixed',
    'market_history_insufficient',
    'not_identifiable',
  ],
  timeoutMs: 120_000,
  attempts: 20,
  async resolve(em, { portfolio: name, ...request }, { now }) {
    const { as_of = utcDate(now), frequency = 'daily', levels = [0.95, 0.99], include = [] } = request;
    requirePastDay(as_of, now);
    const { portfolio, pinned } = await pinPortfolio(em, name, as_of);
    const revisions = await currentRevisions(em);
    const benchmark = await chosenBenchmark(em, portfolio, {
      named: request.benchmark,
      asOf: as_of,
      frequency,
      revisions,
      in: 'body',
    });
    return {
      input: {
        ...pinned,
        as_of,
        basis: request.basis ?? 'current_holdings',
        frequency,
        window: request.window ?? FREQUENCIES[frequency].window,
        levels: levels.toSorted((one, other) => one - other),
        benchmark: benchmark.symbol,
        ...(benchmark.portfolio && {
          benchmark_portfolio: (await pinPortfolio(em, benchmark.portfolio.uid, as_of)).pinned,
        }),
        currency: request.currency ?? null,
        include: riskParts.filter((part) => include.includes(part)),
        factor_run: include.includes('factors') ? ((await latestFactorRun(em, as_of)) ?? null) : null,
      },
      datasetRevisions: revisions,
    };
  },
});
