import Type from 'typebox';
import { constructionRun } from '#lib/investment/construction/construction.run.ts';
import { defineRunList, defineRunRead } from '../run-operations.ts';

export const listConstructions = defineRunList(constructionRun, {
  key: 'investment.constructions.list',
  product: 'Investment analytics',
  scope: 'investment:read',
  summary: 'Lists portfolio constructions, newest first, without their results.',
  filters: {
    portfolio: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Returns only constructions of the portfolio with this key.',
      }),
    ),
  },
});

export const getConstruction = defineRunRead(constructionRun, {
  key: 'investment.constructions.get',
  product: 'Investment analytics',
  scope: 'investment:read',
  summary: 'Returns a portfolio construction, and optionally waits until it ends.',
  noun: 'portfolio construction',
  include: { name: 'orders', description: 'Adds the file of orders.' },
});
