import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Uid } from '#lib/core/schema.ts';
import { marginCallsRun } from '#lib/investment/collateral/margin-calls.run.ts';
import { MarginCallRequestBody } from '#lib/investment/collateral/margin-calls.schema.ts';
import { defineRunList, defineRunRead, defineRunSubmission } from '../../run-operations.ts';

export const createMarginCall = defineRunSubmission(marginCallsRun, {
  key: 'investment.collateral_xva.margin_calls.create',
  product: 'Investment analytics',
  addition: true,
  summary: 'Computes the margin call under the recorded terms of a netting set and seals the statement.',
  description:
    "The caller supplies the value and the collateral balance, in minor units of the netting set's currency. If the shortfall reaches the minimum transfer amount, the whole shortfall is called. The call is split into a return leg and a delivery leg. The run sends no call, moves no collateral and grants no authority.",
  body: MarginCallRequestBody,
  subject: 'netting_set_uid',
  sealed: 'The sealed statement.',
});

export const listMarginCalls = defineRunList(marginCallsRun, {
  key: 'investment.collateral_xva.margin_calls.list',
  product: 'Investment analytics',
  scope: 'investment:read',
  summary: 'Lists margin statements, newest first, without their results.',
  filters: {
    netting_set_uid: Type.Optional(
      Uid(prefixes.nettingSet, 'Returns only statements under this netting set.'),
    ),
  },
});

export const getMarginCall = defineRunRead(marginCallsRun, {
  key: 'investment.collateral_xva.margin_calls.get',
  product: 'Investment analytics',
  scope: 'investment:read',
  summary: 'Returns a margin statement, and optionally waits until the run ends.',
  noun: 'margin statement',
});
