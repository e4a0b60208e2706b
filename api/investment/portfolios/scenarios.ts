import { portfolioScenariosRun } from '#lib/investment/portfolio-scenarios/portfolio-scenarios.run.ts';
import { PortfolioScenarioRequestBody } from '#lib/investment/portfolio-scenarios/scenario-request.schema.ts';
import { defineRunSubmission } from '../../run-operations.ts';

export const createPortfolioScenarios = defineRunSubmission(portfolioScenariosRun, {
  key: 'investment.portfolios.scenarios.create',
  product: 'Investment analytics',
  summary:
    'Applies the samples of a sealed scenario or path run to a portfolio and seals the profit and loss.',
  description:
    'The run reads the samples that were kept, or draws them again, and checks their hash. A position follows the factor ' +
    'of its own symbol, its betas to all factors, or exposures that the caller gives. The result has the profit and loss, ' +
    'its tail, what each position adds to it, and the worst samples. Amounts are never converted. It places no order.',
  body: PortfolioScenarioRequestBody,
  subject: 'portfolio',
  sealed: 'The sealed run.',
});
