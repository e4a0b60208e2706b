import { defineRun } from '#lib/core/run.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed } from '#lib/core/schema.ts';
import { PathInput, PathResult } from './paths.schema.ts';

export const pathsRun = defineRun({
  key: 'generative.paths',
  prefix: prefixes.pathRun,
  queue: 'numerics',
  resource: '/generative/runs',
  submission: '/generative/paths',
  model: 'svc_paths_v1',
  input: PathInput,
  summary: ['model_uid', 'version_uid', 'regime', 'horizon', 'paths', 'seed'],
  output: Closed({ result: PathResult }),
  attachments: Closed({}),
  problems: [],
  timeoutMs: 300_000,
  attempts: 20,
});
