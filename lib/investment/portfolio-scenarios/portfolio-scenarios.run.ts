import { utcDate } from '#lib/core/clock.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { invalid } from '#lib/core/problem.ts';
import { Closed } from '#lib/core/schema.ts';
import { currentRevisions } from '#lib/data/dataset.query.ts';
import { defineRun } from '#lib/pipeline/define-run.ts';
import { requirePastDay } from '../portfolios/past-day.ts';
import { pinPortfolio } from '../portfolios/pinned-portfolio.query.ts';
import { groupRefusals } from '../portfolios/portfolio.query.ts';
import { consumedRun } from './consumed-run.query.ts';
import { exposureFaults } from './exposure-faults.ts';
import { PortfolioScenarioRequest, PortfolioScenarioSealedInput } from './portfolio-scenarios.schema.ts';
import { scenarioOptions } from './scenario-request.schema.ts';
import { PortfolioScenarioResult } from './scenario-result.schema.ts';

/** The run that applies the samples of a sealed scenario or path run to a portfolio. */
export const portfolioScenariosRun = defineRun({
  key: 'investment.portfolio-scenarios',
  prefix: prefixes.portfolioScenarios,
  queue: 'numerics',
  scope: 'investment:run',
  resource: '/investment/portfolio-scenarios',
  submission: '/investment/portfolios/{portfolio}/scenarios',
  model: 'svc_portfolio_scenarios_v1',
  request: PortfolioScenarioRequest,
  input: PortfolioScenarioSealedInput,
  summary: ['portfolio_uid', 'portfolio', 'as_of', 'scenario_run'],
  output: Closed({ result: PortfolioScenarioResult }),
  headline: [
    { name: 'value', unit: 'minor', pointer: '/result/value_minor' },
    { name: 'mean', unit: 'minor', pointer: '/result/total/mean_minor' },
    { name: 'standard_deviation', unit: 'minor', pointer: '/result/total/standard_deviation_minor' },
  ],
  attachments: Closed({}),
  refusals: [...groupRefusals, 'scenario_run_ineligible'],
  problems: [
    'portfolio_inconsistent',
    'samples_altered',
    'exposure_unmapped',
    'currencies_mixed',
    'market_history_insufficient',
    'too_large',
  ],
  timeoutMs: 300_000,
  attempts: 20,
  async resolve(em, { portfolio, scenario_run, as_of, ...request }, { now }) {
    const asOf = as_of ?? utcDate(now);
    requirePastDay(asOf, now);
    const { pinned } = await pinPortfolio(em, portfolio, asOf);
    const { factors, consumed } = await consumedRun(em, scenario_run);
    const { mapping, specific, levels, worst, unmappedMax, byFactor, groups } = scenarioOptions({
      scenario_run,
      ...request,
    });
    const faults = exposureFaults(mapping, factors);
    if (faults.length) throw invalid(faults);
    const { kind, window, minimumR2, exposures } = mapping;
    return {
      input: {
        ...pinned,
        as_of: asOf,
        scenario_run,
        consumed,
        mapping: {
          kind,
          window,
          minimum_r2: minimumR2,
          exposures: exposures === null ? null : [...exposures],
        },
        specific,
        levels: [...levels],
        worst,
        unmapped_max: unmappedMax,
        by_factor: byFactor,
        groups,
      },
      datasetRevisions: await currentRevisions(em),
    };
  },
});
