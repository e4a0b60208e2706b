import { frontiersRun } from '#lib/investment/frontiers/frontiers.run.ts';
import { PortfolioName } from '#lib/investment/risk/risk-request.schema.ts';
import Type from 'typebox';
import { defineRunList, defineRunRead } from '../run-operations.ts';

export const listFrontiers = defineRunList(frontiersRun, {
  key: 'quant.compute.frontiers.list',
  product: 'Quant',
  scope: 'quant:compute:read',
  summary: 'Lists efficient frontiers, newest first, without their results.',
  filters: {
    portfolio: Type.Optional({
      ...PortfolioName,
      description: 'Returns only frontiers of the portfolio with this key.',
    }),
  },
});

export const getFrontier = defineRunRead(frontiersRun, {
  key: 'quant.compute.frontiers.get',
  product: 'Quant',
  scope: 'quant:compute:read',
  summary: 'Returns an efficient frontier, and optionally waits until the run ends.',
  noun: 'efficient frontier',
  include: { name: 'covariance', description: 'Adds the covariance matrix.' },
});
