import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { defineRun } from '#lib/pipeline/define-run.ts';
import { Closed } from '#lib/core/schema.ts';
import { AgreementWarning, AppliedTerms } from '../netting/applied-terms.schema.ts';
import {
  ValuationAdjustmentsInput,
  ValuationAdjustmentsRequest,
  ValuationAdjustmentsResult,
} from './valuation-adjustments.schema.ts';
import { invalid } from '#lib/core/problem.ts';
import { agreementMembers, agreementRefusals, requirePast } from '../netting/agreement.query.ts';
import { valuationFaults } from './valuation-adjustments.faults.ts';

export const valuationAdjustmentsRun = defineRun({
  key: 'investment.valuation-adjustments',
  prefix: prefixes.valuationAdjustment,
  queue: 'numerics',
  scope: 'investment:run',
  resource: '/investment/collateral-xva/valuation-adjustments',
  submission: '/investment/collateral-xva/netting-sets/{uid}/valuation-adjustments',
  model: 'svc_valuation_adjustments_v1',
  request: ValuationAdjustmentsRequest,
  input: ValuationAdjustmentsInput,
  summary: ['netting_set_uid', 'valuation_date', 'currency'],
  output: Closed({
    netting_set: AppliedTerms,
    warnings: Type.Array(AgreementWarning, { maxItems: 1, description: 'Warnings about the agreement.' }),
    result: ValuationAdjustmentsResult,
  }),
  headline: [
    { name: 'unilateral_bcva_minor', unit: 'minor', pointer: '/result/unilateral/bcva_minor' },
    { name: 'unilateral_fva_minor', unit: 'minor', pointer: '/result/unilateral/fva_minor' },
    { name: 'currency', unit: 'currency', pointer: '/input/currency' },
  ],
  attachments: Closed({}),
  refusals: agreementRefusals,
  problems: ['survival_rises', 'amount_range'],
  timeoutMs: 30_000,
  attempts: 20,
  async resolve(em, { netting_set_uid, ...request }, { now }) {
    requirePast(request.valuation_date, now);
    const faults = valuationFaults(request);
    if (faults.length) throw invalid(faults.map((fault) => ({ ...fault, in: 'body' as const })));
    const agreement = await agreementMembers(em, netting_set_uid, request.currency);
    const { profile, borrow_spread = 0, lend_spread = 0, ...curves } = request;
    const discount_factors = profile.discount_factors ?? profile.dates.map(() => 1);
    return {
      input: {
        ...agreement,
        ...curves,
        profile: { ...profile, discount_factors },
        borrow_spread,
        lend_spread,
      },
    };
  },
});
