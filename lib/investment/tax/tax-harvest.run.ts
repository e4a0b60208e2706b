import { prefixes } from '#lib/core/prefix.ts';
import { Closed } from '#lib/core/schema.ts';
import { defineRun } from '#lib/pipeline/define-run.ts';
import { groupRefusals } from '../portfolios/portfolio.query.ts';
import { taxHarvestInput } from './tax-harvest-input.query.ts';
import {
  HarvestOrders,
  TaxHarvestData,
  TaxHarvestInput,
  TaxHarvestRequest,
  TaxHarvestResult,
} from './tax-harvest.schema.ts';

export const taxHarvestRun = defineRun({
  key: 'investment.tax-harvest',
  prefix: prefixes.taxHarvest,
  queue: 'numerics',
  scope: 'investment:run',
  resource: '/investment/tax-harvests',
  submission: '/investment/portfolios/{portfolio}/tax-harvest',
  model: 'svc_tax_harvest_us_v1',
  request: TaxHarvestRequest,
  input: TaxHarvestInput,
  summary: ['portfolio', 'as_of', 'policy'],
  output: Closed({ input_data: TaxHarvestData, result: TaxHarvestResult }),
  headline: [
    { name: 'net', unit: 'minor', pointer: '/result/net_minor' },
    { name: 'saving', unit: 'minor', pointer: '/result/saving_minor' },
    { name: 'cost', unit: 'minor', pointer: '/result/cost_minor' },
  ],
  attachments: Closed({ orders: HarvestOrders }),
  refusals: groupRefusals,
  problems: [
    'portfolio_inconsistent',
    'tax_regime_unsupported',
    'account_tax_exempt',
    'currencies_mixed',
    'too_large',
    'market_history_insufficient',
  ],
  timeoutMs: 60_000,
  attempts: 20,
  resolve: (em, request, { now }) => taxHarvestInput(em, request, now),
});
