import { constructionRun } from '#lib/investment/construction/construction.run.ts';
import { ConstructionRequestBody } from '#lib/investment/construction/construction.schema.ts';
import { defineRunSubmission } from '../../run-operations.ts';

export const createConstruction = defineRunSubmission(constructionRun, {
  key: 'investment.portfolios.construct',
  product: 'Investment analytics',
  summary: 'Computes target weights for a portfolio and the trades to reach them, and seals the result.',
  description:
    'Estimates the risk of a universe of symbols, and finds the weights that optimise the objective within the limits. The result lists the trades with their costs, lots and taxes. If no weights satisfy all limits, the problem names a minimal set of conflicting limits and the smallest change of each limit. The run places no orders: `orders` is a file for `assay batch import`. `{portfolio}` is the uid or the key. Without a body, the run minimises the variance of the current holdings.',
  body: ConstructionRequestBody,
  bodyOptional: true,
  subject: 'portfolio',
  sealed: 'The sealed construction.',
});
