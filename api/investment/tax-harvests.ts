import Type from 'typebox';
import { taxHarvestRun } from '#lib/investment/tax/tax-harvest.run.ts';
import { defineRunList, defineRunRead } from '../run-operations.ts';

export const listTaxHarvests = defineRunList(taxHarvestRun, {
  key: 'investment.tax_harvests.list',
  product: 'Investment analytics',
  scope: 'investment:read',
  summary: 'Lists tax harvests, newest first, without their results.',
  filters: {
    portfolio: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Returns only harvests of the portfolio with this key.',
      }),
    ),
  },
});

export const getTaxHarvest = defineRunRead(taxHarvestRun, {
  key: 'investment.tax_harvests.get',
  product: 'Investment analytics',
  scope: 'investment:read',
  summary: 'Returns a tax harvest, and optionally waits until the run ends.',
  noun: 'tax harvest',
  include: { name: 'orders', description: 'Adds the proposed orders, as a file for `assay batch import`.' },
});
