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
    'Values the default and the funding of a netting set by a supplied exposure profile, and seals it.',
  description:
    'CVA, DVA, FCA and FBA, unilateral and to the first default. Exposures and curves are what the caller says: the ' +
    'collateral terms are shown beside the result and are not applied to the exposures.',
  body: ValuationAdjustmentsRequestBody,
  subject: 'netting_set_uid',
  sealed: 'The adjustments, sealed.',
});

export const listValuationAdjustments = defineRunList(valuationAdjustmentsRun, {
  key: 'investment.collateral_xva.valuation_adjustments.list',
  product: 'Investment analytics',
  scope: 'investment:read',
  summary: 'Lists valuation adjustments, newest first, without their results.',
  filters: {
    netting_set_uid: Type.Optional(Uid(prefixes.nettingSet, 'Only those of this netting set.')),
  },
});

export const getValuationAdjustment = defineRunRead(valuationAdjustmentsRun, {
  key: 'investment.collateral_xva.valuation_adjustments.get',
  product: 'Investment analytics',
  scope: 'investment:read',
  summary: 'Reads valuation adjustments, and waits for their end on request.',
  noun: 'valuation adjustments',
});
