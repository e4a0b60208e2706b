import { constructionRun } from '#lib/investment/construction/construction.run.ts';
import { ConstructionRequestBody } from '#lib/investment/construction/construction.schema.ts';
import { defineRunSubmission } from '../../run-operations.ts';

export const createConstruction = defineRunSubmission(constructionRun, {
  key: 'investment.portfolios.construct',
  product: 'Investment analytics',
  summary: 'Constructs the weights of a portfolio and the trades that lead to them, and seals them.',
  description:
    'Estimates the risk of a universe, finds the weights with the best value of the objective within the limits, and ' +
    'lists the trades with their costs, lots and taxes. Limits that cannot be met are answered with a minimal set of ' +
    'limits in conflict and the smallest change of each. No order is placed: `orders` is a file for ' +
    '`assay batch import`; the run itself places no orders. `{portfolio}` is the uid or the key. Without a body, the ' +
    'weights of the current holdings with the smallest variance are constructed.',
  body: ConstructionRequestBody,
  bodyOptional: true,
  subject: 'portfolio',
  sealed: 'The sealed construction.',
});
