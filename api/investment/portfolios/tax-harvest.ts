import { taxHarvestRun } from '#lib/investment/tax/tax-harvest.run.ts';
import { TaxHarvestRequestBody } from '#lib/investment/tax/tax-harvest.schema.ts';
import { defineRunSubmission } from '../../run-operations.ts';

export const createTaxHarvest = defineRunSubmission(taxHarvestRun, {
  key: 'investment.portfolios.tax_harvest.create',
  product: 'Investment analytics',
  summary: 'Proposes lots of a portfolio to sell at a loss, and seals the proposal.',
  description:
    'Applies the wash sale rules of the United States (26 U.S.C. 1091) across all portfolios of the wash group. The proposal has the lots to sell, the tax saved this year, the wash sale windows, and similar securities from the latest sealed theme factor run. The run places no orders: `orders` is a file for `assay batch import`, which starts the approval process. `{portfolio}` is the uid or the key.',
  body: TaxHarvestRequestBody,
  subject: 'portfolio',
  sealed: 'The sealed proposal.',
});
