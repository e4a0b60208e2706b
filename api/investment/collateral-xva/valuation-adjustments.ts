import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Uid } from '#lib/core/schema.ts';
import { valuationFaults } from '#lib/investment/valuation-adjustments.faults.ts';
import { valuationAdjustmentsRun } from '#lib/investment/valuation-adjustments.run.ts';
import { ValuationAdjustmentsRequestBody } from '#lib/investment/valuation-adjustments.schema.ts';
import { OpenRun, SealedRun } from '#lib/pipeline/run.schema.ts';
import { invalid } from '../../derive/router.ts';
import { submissionProblems } from '../../runs.ts';
import { defineRunList, defineRunRead } from '../../run-operations.ts';
import { defineOperation } from '../../services.ts';
import { agreementMembers, findAgreement, otherCurrency, superseded, requirePast } from './agreement.ts';

const job = valuationAdjustmentsRun;

export const createValuationAdjustment = defineOperation({
  key: 'investment.collateral_xva.valuation_adjustments.create',
  product: 'Investment analytics',
  method: 'POST',
  path: '/investment/collateral-xva/netting-sets/{uid}/valuation-adjustments',
  scope: 'investment:run',
  addition: true,
  summary:
    'Values the default and the funding of a netting set by a supplied exposure profile, and seals it.',
  description:
    'CVA, DVA, FCA and FBA, unilateral and to the first default. Exposures and curves are what the caller says: the ' +
    'collateral terms are shown beside the result and are not applied to the exposures.',
  body: ValuationAdjustmentsRequestBody,
  success: { status: 201, description: 'The adjustments, sealed.', schema: SealedRun(job) },
  accepted: OpenRun(job),
  problems: [
    'not_found',
    'netting_set_superseded',
    'currency_mismatch',
    ...job.problems,
    ...submissionProblems,
  ],
  async handle(call) {
    const { services, body, params, fail } = call;
    requirePast(body.valuation_date, services.clock);
    const faults = valuationFaults(body);
    if (faults.length) throw invalid(faults.map((fault) => ({ ...fault, in: 'body' as const })));
    const submitted = await services.runs.submit(job, call, async (em) => {
      const found = await findAgreement(em, params.uid);
      const agreement = found ?? fail('not_found', 'There is no such netting set.');
      if (agreement.supersededAt) fail('netting_set_superseded', superseded(agreement));
      if (body.currency !== agreement.terms.currency) fail('currency_mismatch', otherCurrency(agreement));
      const { profile, borrow_spread = 0, lend_spread = 0, ...curves } = body;
      const discount_factors = profile.discount_factors ?? profile.dates.map(() => 1);
      const input = {
        ...agreementMembers(agreement),
        ...curves,
        profile: { ...profile, discount_factors },
        borrow_spread,
        lend_spread,
      };
      return { input };
    });
    return services.runs.answer(job, call, submitted);
  },
});

export const listValuationAdjustments = defineRunList(job, {
  key: 'investment.collateral_xva.valuation_adjustments.list',
  product: 'Investment analytics',
  scope: 'investment:read',
  summary: 'Lists valuation adjustments, newest first, without their results.',
  filters: {
    netting_set_uid: Type.Optional(Uid(prefixes.nettingSet, 'Only those of this netting set.')),
  },
});

export const getValuationAdjustment = defineRunRead(job, {
  key: 'investment.collateral_xva.valuation_adjustments.get',
  product: 'Investment analytics',
  scope: 'investment:read',
  summary: 'Reads valuation adjustments, and waits for their end on request.',
  noun: 'valuation adjustments',
});
