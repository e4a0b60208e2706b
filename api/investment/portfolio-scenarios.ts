import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { IsoDate, Uid } from '#lib/core/schema.ts';
import { portfolioScenariosRun } from '#lib/investment/portfolio-scenarios/portfolio-scenarios.run.ts';
import { defineRunList, defineRunRead } from '../run-operations.ts';

export const listPortfolioScenarios = defineRunList(portfolioScenariosRun, {
  key: 'investment.portfolio_scenarios.list',
  product: 'Investment analytics',
  scope: 'investment:read',
  summary: 'Lists the scenario runs of portfolios, newest first, without their results.',
  filters: {
    portfolio_uid: Type.Optional(Uid(prefixes.portfolio, 'Returns only runs about this portfolio.')),
    as_of: Type.Optional({ ...IsoDate, description: 'Returns only runs with this as-of date.' }),
  },
});

export const getPortfolioScenarios = defineRunRead(portfolioScenariosRun, {
  key: 'investment.portfolio_scenarios.get',
  product: 'Investment analytics',
  scope: 'investment:read',
  summary: 'Returns a scenario run of a portfolio, and optionally waits until it ends.',
  noun: 'scenario run of a portfolio',
});
