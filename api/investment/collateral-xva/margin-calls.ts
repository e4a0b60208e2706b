import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Uid } from '#lib/core/schema.ts';
import { marginCallsRun } from '#lib/investment/margin-calls.run.ts';
import { MarginCallRequestBody } from '#lib/investment/margin-calls.schema.ts';
import { OpenRun, SealedRun } from '#lib/pipeline/run.schema.ts';
import { submissionProblems } from '../../runs.ts';
import { defineRunList, defineRunRead } from '../../run-operations.ts';
import { defineOperation } from '../../services.ts';
import { agreementMembers, findAgreement, otherCurrency, superseded, requirePast } from './agreement.ts';

const job = marginCallsRun;

export const createMarginCall = defineOperation({
  key: 'investment.collateral_xva.margin_calls.create',
  product: 'Investment analytics',
  method: 'POST',
  path: '/investment/collateral-xva/netting-sets/{uid}/margin-calls',
  scope: 'investment:run',
  addition: true,
  summary: 'States the margin call under the recorded terms of a netting set, and seals the statement.',
  description:
    "Value and balance are the caller's, in minor units of the currency of the netting set. The whole shortfall is " +
    'called when it reaches the minimum transfer amount, in a return and a delivery leg. Nobody is called and ' +
    'nothing is moved: the statement grants no authority.',
  body: MarginCallRequestBody,
  success: { status: 201, description: 'The statement, sealed.', schema: SealedRun(job) },
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
    const submitted = await services.runs.submit(job, call, async (em) => {
      const found = await findAgreement(em, params.uid);
      const agreement = found ?? fail('not_found', 'There is no such netting set.');
      if (agreement.supersededAt) fail('netting_set_superseded', superseded(agreement));
      if (body.currency !== agreement.terms.currency) fail('currency_mismatch', otherCurrency(agreement));
      const { open_margin_minor = 0, rounding_minor = 1, ...position } = body;
      const input = { ...agreementMembers(agreement), ...position, open_margin_minor, rounding_minor };
      return { input };
    });
    return services.runs.answer(job, call, submitted);
  },
});

export const listMarginCalls = defineRunList(job, {
  key: 'investment.collateral_xva.margin_calls.list',
  product: 'Investment analytics',
  scope: 'investment:read',
  summary: 'Lists margin statements, newest first, without their results.',
  filters: {
    netting_set_uid: Type.Optional(Uid(prefixes.nettingSet, 'Only statements under this netting set.')),
  },
});

export const getMarginCall = defineRunRead(job, {
  key: 'investment.collateral_xva.margin_calls.get',
  product: 'Investment analytics',
  scope: 'investment:read',
  summary: 'Reads a margin statement, and waits for its end on request.',
  noun: 'margin statement',
});
