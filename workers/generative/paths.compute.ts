import { pathRun } from '#lib/generative/path-run.ts';
import type { pathsJob } from '#lib/generative/paths.job.ts';
import type { Checkpoint } from '#lib/registry/checkpoint.schema.ts';
import type { Computation } from '../runner.ts';

export const compute: Computation<typeof pathsJob, Checkpoint> = (input, checkpoint, control) => ({
  ok: true,
  output: { result: pathRun(input, checkpoint, control).result },
  attachments: {},
});
