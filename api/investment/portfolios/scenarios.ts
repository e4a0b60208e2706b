import { portfolioScenariosRun } from '#lib/investment/portfolio-scenarios/portfolio-scenarios.run.ts';
import { PortfolioScenarioRequestBody } from '#lib/investment/portfolio-scenarios/scenario-request.schema.ts';
import { defineRunSubmission } from '../../run-operations.ts';

export const createPortfolioScenarios = defineRunSubmission(portfolioScenariosRun, {
  key: 'investment.portfolios.scenarios.create',
  product: 'Investment analytics',
  summary:
    'Applies the samples of a sealed scenario or path run to a portfolio and seals the profit and loss.',
  description:
    'The run reads the stored samples or draws them again, and checks their hash. The return of a position is computed from the factor with the same symbol, from betas to all factors, or from exposures that the caller supplies. The result has the profit and loss with its tail risk, the contribution of each position, and the worst samples. Amounts are never converted. The run places no orders.',
  body: PortfolioScenarioRequestBody,
  subject: 'portfolio',
  sealed: 'The sealed run.',
});
