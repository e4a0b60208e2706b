import { prefixes } from '#lib/core/prefix.ts';
import { defineRun } from '#lib/pipeline/define-run.ts';
import { Closed } from '#lib/core/schema.ts';
import { ProjectDefinition } from './project-definition.ts';
import {
  RESEARCH_SNAPSHOTS,
  SnapshotInput,
  SnapshotMatrix,
  SnapshotRequestBody,
  SnapshotResult,
} from './research-snapshots.schema.ts';
import { snapshotInput } from './snapshot-input.query.ts';

export const researchSnapshotsRun = defineRun({
  key: RESEARCH_SNAPSHOTS,
  prefix: prefixes.researchSnapshot,
  queue: 'numerics',
  scope: 'quant:research:run',
  resource: '/quant/research/snapshots',
  model: 'svc_research_snapshot_v1',
  request: SnapshotRequestBody,
  input: SnapshotInput,
  summary: ['project_id', 'project_version', 'as_of_date'],
  output: Closed({ definition: ProjectDefinition, result: SnapshotResult }),
  attachments: Closed({ matrix: SnapshotMatrix }),
  refusals: ['not_found'],
  problems: ['no_observations', 'leakage'],
  timeoutMs: 120_000,
  attempts: 20,
  resolve: (em, request, { now }) => snapshotInput(em, request, now),
});
