import { pathRun } from '#lib/generative/path-run.ts';
import type { pathsRun } from '#lib/generative/paths.run.ts';
import { keptBytes } from '#lib/generative/sample-summary.ts';
import type { Checkpoint } from '#lib/registry/checkpoint.schema.ts';
import type { Computation } from '../runner.ts';

export const compute: Computation<typeof pathsRun, Checkpoint> = (input, checkpoint, control) => {
  const { result, matrix } = pathRun(input, checkpoint, control);
  return { ok: true, output: { result }, attachments: {}, matrix: keptBytes(matrix) };
};
