import { defineRun } from '#lib/core/run.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed } from '#lib/core/schema.ts';
import { AnomalyInput, AnomalyResult, AnomalyScores } from './anomaly.schema.ts';

export const anomalyRun = defineRun({
  key: 'generative.anomaly',
  prefix: prefixes.anomalyRun,
  queue: 'numerics',
  resource: '/ml/anomaly',
  model: 'svc_anomaly_scores_v1',
  input: AnomalyInput,
  summary: ['method'],
  output: Closed({ result: AnomalyResult }),
  attachments: Closed({ scores: AnomalyScores }),
  problems: ['reference_too_small', 'too_many_gaps'],
  timeoutMs: 600_000,
  attempts: 20,
});
