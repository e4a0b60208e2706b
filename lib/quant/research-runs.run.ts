import { defineRun } from '#lib/core/run.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Sha256Of } from '#lib/core/schema.ts';
import { ExperimentInput, ExperimentResult, ExperimentSeriesOnWire } from './research-runs.schema.ts';

export const researchRunsRun = defineRun({
  key: 'quant.research-runs',
  prefix: prefixes.researchRun,
  queue: 'numerics',
  resource: '/quant/research/runs',
  model: 'svc_feature_experiment_v1',
  input: ExperimentInput,
  summary: ['project_id', 'known_by'],
  output: Closed({
    input_data: Closed(
      { targets_sha256: Sha256Of('SHA-256 of the RFC 8785 form of the targets that were read.') },
      { description: 'Hashes of exactly the observations that the run read beside the snapshots.' },
    ),
    result: ExperimentResult,
  }),
  attachments: Closed({ series: ExperimentSeriesOnWire }),
  problems: ['target_unobserved'],
  timeoutMs: 600_000,
  attempts: 20,
});
