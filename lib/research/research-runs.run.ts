import { prefixes } from '#lib/core/prefix.ts';
import { defineRun } from '#lib/pipeline/define-run.ts';
import { Closed, Sha256Of } from '#lib/core/schema.ts';
import {
  ExperimentInput,
  ExperimentRequestBody,
  ExperimentResult,
  ExperimentSeriesOnWire,
} from './research-runs.schema.ts';
import { experimentInput } from './experiment-input.query.ts';
import { findVersions, pinVersions } from './feature-version.query.ts';

export const researchRunsRun = defineRun({
  key: 'quant.research-runs',
  prefix: prefixes.researchRun,
  queue: 'numerics',
  scope: 'quant:research:run',
  resource: '/quant/research/runs',
  model: 'svc_feature_experiment_v1',
  request: ExperimentRequestBody,
  input: ExperimentInput,
  summary: ['project_id', 'known_by'],
  output: Closed({
    input_data: Closed(
      { targets_sha256: Sha256Of('SHA-256 of the RFC 8785 form of the targets that were read.') },
      { description: 'Hashes of exactly the observations that the run read, in addition to the snapshots.' },
    ),
    result: ExperimentResult,
  }),
  attachments: Closed({ series: ExperimentSeriesOnWire }),
  refusals: ['not_found', 'snapshots_differ', 'experiment_too_large', 'unknown_feature', 'leakage'],
  problems: ['target_unobserved'],
  timeoutMs: 600_000,
  attempts: 20,
  async resolve(em, request, { now }) {
    const input = await experimentInput(em, request, now);
    const { feature: key, version } = input.target;
    const ids = (await findVersions(em, [{ key, version }])).map(({ id }) => id);
    return { input, datasetRevisions: await pinVersions(em, ids) };
  },
});
