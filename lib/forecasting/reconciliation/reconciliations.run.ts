import { prefixes } from '#lib/core/prefix.ts';
import { Closed } from '#lib/core/schema.ts';
import { defineRun } from '#lib/pipeline/define-run.ts';
import { reconciliationInput } from './reconciliation-input.query.ts';
import { reconciliationProblems } from './reconciliation-refusal.ts';
import {
  ReconciliationInput,
  ReconciliationOutput,
  ReconciliationRequest,
} from './reconciliations.schema.ts';

export const reconciliationsRun = defineRun({
  key: 'planning.reconciliations',
  prefix: prefixes.forecastReconciliation,
  queue: 'numerics',
  scope: 'planning:forecast:create',
  resource: '/planning/reconciliations',
  model: 'svc_forecast_reconciliation_v1',
  request: ReconciliationRequest,
  input: ReconciliationInput,
  summary: ['method', 'reason'],
  output: Closed({ result: ReconciliationOutput }),
  attachments: Closed({}),
  refusals: ['unknown_forecast'],
  problems: [...reconciliationProblems],
  timeoutMs: 120_000,
  attempts: 20,
  resolve: (em, request) => reconciliationInput(em, request),
});
