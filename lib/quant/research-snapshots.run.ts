import { defineRun } from '#lib/core/run.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed } from '#lib/core/schema.ts';
import { ProjectDefinition } from './project-definition.ts';
import { SnapshotInput, SnapshotMatrix, SnapshotResult } from './research-snapshots.schema.ts';

export const researchSnapshotsRun = defineRun({
  key: 'quant.research-snapshots',
  prefix: prefixes.researchSnapshot,
  queue: 'numerics',
  resource: '/quant/research/snapshots',
  model: 'svc_research_snapshot_v1',
  input: SnapshotInput,
  summary: ['project_id', 'project_version', 'as_of_date'],
  output: Closed({ definition: ProjectDefinition, result: SnapshotResult }),
  attachments: Closed({ matrix: SnapshotMatrix }),
  problems: ['no_observations', 'leakage'],
  timeoutMs: 120_000,
  attempts: 20,
});
