import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, ListOf, Uid, pageQuery, waitQuery } from '#lib/core/schema.ts';
import { valuationFaults } from '#lib/investment/valuation-adjustments.faults.ts';
import { valuationAdjustmentsJob } from '#lib/investment/valuation-adjustments.job.ts';
import { ValuationAdjustmentsRequestBody } from '#lib/investment/valuation-adjustments.schema.ts';
import { runStates } from '#lib/pipeline/run.ts';
import { OpenRun, RunResource, RunSummary, SealedRun } from '#lib/pipeline/run.schema.ts';
import { invalid } from '../../derive/router.ts';
import { readRun, runsReply } from '../../run-reads.ts';
import { presentRun, submissionProblems } from '../../runs.ts';
import { defineOperation } from '../../services.ts';
import { agreementMembers, findAgreement, otherCurrency, superseded, requirePast } from './agreement.ts';

const job = valuationAdjustmentsJob;

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

export const listValuationAdjustments = defineOperation({
  key: 'investment.collateral_xva.valuation_adjustments.list',
  product: 'Investment analytics',
  method: 'GET',
  path: job.resource,
  scope: 'investment:read',
  addition: true,
  summary: 'Lists valuation adjustments, newest first, without their results.',
  description: 'Runs of the workspace in the environment of the credential, in any state.',
  query: Closed({
    ...pageQuery,
    state: Type.Optional(Type.Enum([...runStates], { description: 'Only runs in this state.' })),
    netting_set_uid: Type.Optional(Uid(prefixes.nettingSet, 'Only those of this netting set.')),
  }),
  success: { status: 200, description: 'A page of runs.', schema: ListOf(RunSummary(job)) },
  problems: ['invalid_cursor'],
  async handle({ services, query }) {
    const { netting_set_uid } = query;
    return runsReply(services, query, { job, input: { netting_set_uid } });
  },
});

export const getValuationAdjustment = defineOperation({
  key: 'investment.collateral_xva.valuation_adjustments.get',
  product: 'Investment analytics',
  method: 'GET',
  path: '/investment/collateral-xva/valuation-adjustments/{uid}',
  scope: 'investment:read',
  addition: true,
  summary: 'Reads valuation adjustments, and waits for their end on request.',
  description:
    'A run that was refused after it was accepted reads 200 with the state `failed` and the problem that a waiting ' +
    'caller would have got.',
  query: Closed(waitQuery),
  success: { status: 200, description: 'The run, sealed once it has succeeded.', schema: RunResource(job) },
  problems: ['not_found'],
  async handle(call) {
    const found =
      (await readRun(call, [job.key])) ?? call.fail('not_found', 'There are no such valuation adjustments.');
    return { status: 200, body: presentRun(found) };
  },
});
