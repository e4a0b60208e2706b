import Type from 'typebox';
import { defineRun } from '#lib/core/run.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed } from '#lib/core/schema.ts';
import { AgreementWarning, AppliedTerms } from './applied-terms.schema.ts';
import { ValuationAdjustmentsInput, ValuationAdjustmentsResult } from './valuation-adjustments.schema.ts';

export const valuationAdjustmentsRun = defineRun({
  key: 'investment.valuation-adjustments',
  prefix: prefixes.valuationAdjustment,
  queue: 'numerics',
  resource: '/investment/collateral-xva/valuation-adjustments',
  submission: '/investment/collateral-xva/netting-sets/{uid}/valuation-adjustments',
  model: 'svc_valuation_adjustments_v1',
  input: ValuationAdjustmentsInput,
  summary: ['netting_set_uid', 'valuation_date', 'currency'],
  output: Closed({
    netting_set: AppliedTerms,
    warnings: Type.Array(AgreementWarning, { maxItems: 1, description: 'What a reader should know.' }),
    result: ValuationAdjustmentsResult,
  }),
  attachments: Closed({}),
  problems: ['survival_rises', 'amount_range'],
  timeoutMs: 30_000,
  attempts: 20,
});
