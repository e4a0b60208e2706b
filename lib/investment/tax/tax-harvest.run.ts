import { prefixes } from '#lib/core/prefix.ts';
import { Closed } from '#lib/core/schema.ts';
import { defineRun } from '#lib/pipeline/define-run.ts';
import { groupRefusals } from '../portfolios/portfolio.query.ts';
import { HARVEST_MODEL } from './harvest-models.ts';
import { taxHarvestInput } from './tax-harvest-input.query.ts';
import {
  HarvestOrders,
  TaxHarvestData,
  TaxHarvestInput,
  TaxHarvestRequest,
  SealedHarvestResult,
} from './tax-harvest.schema.ts';

export const taxHarvestRun = defineRun({
  key: 'investment.tax-harvest',
  prefix: prefixes.taxHarvest,
  queue: 'numerics',
  scope: 'investment:run',
  resource: '/investment/tax-harvests',
  submission: '/investment/portfolios/{portfolio}/tax-harvest',
  model: HARVEST_MODEL,
  request: TaxHarvestRequest,
  input: TaxHarvestInput,
  summary: ['portfolio', 'as_of', 'policy'],
  output: Closed({ input_data: TaxHarvestData, result: SealedHarvestResult }),
  headline: [
    { name: 'net_now', unit: 'minor', pointer: '/result/net_now_minor' },
    { name: 'saving_now', unit: 'minor', pointer: '/result/saving_now_minor' },
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
