import Type from 'typebox';
import { reconciliationsRun } from '#lib/forecasting/reconciliation/reconciliations.run.ts';
import {
  reconciliationMethods,
  ReconciliationRequest,
} from '#lib/forecasting/reconciliation/reconciliations.schema.ts';
import { defineRunList, defineRunRead, defineRunSubmission } from '../../run-operations.ts';

export const createReconciliation = defineRunSubmission(reconciliationsRun, {
  key: 'planning.reconciliations.create',
  product: 'Planning',
  addition: true,
  summary: 'Reconciles sealed forecasts so that totals equal the sum of their parts, and seals the result.',
  description:
    'Forecasts of a group, its companies and their accounts rarely add up, because each series is forecast by itself. ' +
    'A reconciliation changes all of them as little as their errors allow (minimum trace, MinT), so that every sum ' +
    'holds. The forecasts must be for the same periods, in the same unit and currency, and the histories must add up. ' +
    'The sealed forecasts do not change.',
  body: ReconciliationRequest,
  sealed: 'The sealed reconciliation.',
});

export const listReconciliations = defineRunList(reconciliationsRun, {
  key: 'planning.reconciliations.list',
  product: 'Planning',
  scope: 'planning:read',
  summary: 'Lists the reconciliations of the workspace, newest first, without their results.',
  filters: {
    method: Type.Optional(
      Type.Enum([...reconciliationMethods], { description: 'Returns only reconciliations by this method.' }),
    ),
  },
});

export const getReconciliation = defineRunRead(reconciliationsRun, {
  key: 'planning.reconciliations.get',
  product: 'Planning',
  scope: 'planning:read',
  summary: 'Returns a reconciliation, and optionally waits until the run ends.',
  noun: 'reconciliation',
});
