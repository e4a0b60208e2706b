import Type from 'typebox';
import { defineRun } from '#lib/core/run.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed } from '#lib/core/schema.ts';
import { AgreementWarning, AppliedTerms } from './applied-terms.schema.ts';
import { MarginCallInput, MarginStatement } from './margin-calls.schema.ts';

export const marginCallsRun = defineRun({
  key: 'investment.margin-calls',
  prefix: prefixes.marginCall,
  queue: 'numerics',
  resource: '/investment/collateral-xva/margin-calls',
  submission: '/investment/collateral-xva/netting-sets/{uid}/margin-calls',
  model: 'svc_collateral_margin_v1',
  input: MarginCallInput,
  summary: ['netting_set_uid', 'valuation_date', 'currency'],
  output: Closed({
    netting_set: AppliedTerms,
    warnings: Type.Array(AgreementWarning, { maxItems: 1, description: 'What a reader should know.' }),
    result: MarginStatement,
  }),
  attachments: Closed({}),
  problems: ['margin_not_determined', 'threshold_not_stated', 'amount_range'],
  timeoutMs: 30_000,
  attempts: 20,
});
