import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Uid } from '#lib/core/schema.ts';
import { valuationAdjustmentsRun } from '#lib/investment/collateral/valuation-adjustments.run.ts';
import { ValuationAdjustmentsRequestBody } from '#lib/investment/collateral/valuation-adjustments.schema.ts';
import { defineRunList, defineRunRead, defineRunSubmission } from '../../run-operations.ts';

export const createValuationAdjustment = defineRunSubmission(valuationAdjustmentsRun, {
  key: 'investment.collateral_xva.valuation_adjustments.create',
  product: 'Investment analytics',
  addition: true,
  summary:
    'Computes the credit and funding valuation adjustments of a netting set from a supplied exposure profile, and seals them.',
  description:
    'Returns CVA, DVA, FCA and FBA, both unilateral and first-to-default. The caller supplies the exposures and curves. The ' +
    'recorded collateral terms are shown with the result but are not applied to the exposures.',
  body: ValuationAdjustmentsRequestBody,
  subject: 'netting_set_uid',
  sealed: 'The sealed adjustments.',
});

export const listValuationAdjustments = defineRunList(valuationAdjustmentsRun, {
  key: 'investment.collateral_xva.valuation_adjustments.list',
  product: 'Investment analytics',
  scope: 'investment:read',
  summary: 'Lists valuation adjustments, newest first, without their results.',
  filters: {
    netting_set_uid: Type.Optional(
      Uid(prefixes.nettingSet, 'Returns only valuation adjustments of this netting set.'),
    ),
  },
});

export const getValuationAdjustment = defineRunRead(valuationAdjustmentsRun, {
  key: 'investment.collateral_xva.valuation_adjustments.get',
  product: 'Investment analytics',
  scope: 'investment:read',
  summary: 'Returns valuation adjustments, and optionally waits until the run ends.',
  noun: 'valuation adjustments',
});
