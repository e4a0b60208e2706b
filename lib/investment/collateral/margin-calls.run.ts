import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { defineRun } from '#lib/pipeline/define-run.ts';
import { Closed } from '#lib/core/schema.ts';
import { AgreementWarning, AppliedTerms } from '../netting/applied-terms.schema.ts';
import { MarginCallInput, MarginCallRequest, MarginStatement } from './margin-calls.schema.ts';
import { agreementMembers, agreementRefusals, requirePast } from '../netting/agreement.query.ts';

export const marginCallsRun = defineRun({
  key: 'investment.margin-calls',
  prefix: prefixes.marginCall,
  queue: 'numerics',
  scope: 'investment:run',
  resource: '/investment/collateral-xva/margin-calls',
  submission: '/investment/collateral-xva/netting-sets/{uid}/margin-calls',
  model: 'svc_collateral_margin_v1',
  request: MarginCallRequest,
  input: MarginCallInput,
  summary: ['netting_set_uid', 'valuation_date', 'currency'],
  output: Closed({
    netting_set: AppliedTerms,
    warnings: Type.Array(AgreementWarning, { maxItems: 1, description: 'Warnings about the agreement.' }),
    result: MarginStatement,
  }),
  headline: [
    { name: 'margin_call_minor', unit: 'minor', pointer: '/result/margin_call_minor' },
    { name: 'exposure_after_minor', unit: 'minor', pointer: '/result/exposure_after_minor' },
    { name: 'currency', unit: 'currency', pointer: '/input/currency' },
  ],
  attachments: Closed({}),
  refusals: agreementRefusals,
  problems: ['margin_not_determined', 'threshold_not_stated', 'amount_range'],
  timeoutMs: 30_000,
  attempts: 20,
  async resolve(em, { netting_set_uid, ...request }, { now }) {
    requirePast(request.valuation_date, now);
    const agreement = await agreementMembers(em, netting_set_uid, request.currency);
    const { open_margin_minor = 0, rounding_minor = 1, ...position } = request;
    return { input: { ...agreement, ...position, open_margin_minor, rounding_minor } };
  },
});
