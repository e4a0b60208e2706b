import { prefixes } from '#lib/core/prefix.ts';
import { defineRun } from '#lib/pipeline/define-run.ts';
import { Closed } from '#lib/core/schema.ts';
import { AnomalyInput, AnomalyRequestBody, AnomalyResult, AnomalyScores } from './anomaly.schema.ts';
import { anomalyInput } from './anomaly-input.query.ts';

export const anomalyRun = defineRun({
  key: 'generative.anomaly',
  prefix: prefixes.anomalyRun,
  queue: 'numerics',
  scope: 'ml:inference',
  resource: '/ml/anomaly',
  model: 'svc_anomaly_scores_v1',
  request: AnomalyRequestBody,
  input: AnomalyInput,
  summary: ['method'],
  output: Closed({ result: AnomalyResult }),
  attachments: Closed({ scores: AnomalyScores }),
  refusals: ['not_found', 'dataset_not_governed'],
  problems: ['reference_too_small', 'too_many_gaps'],
  timeoutMs: 600_000,
  attempts: 20,
  resolve: async (em, request) => ({ input: await anomalyInput(em, request) }),
});
