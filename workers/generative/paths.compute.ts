import { pathRun } from '#lib/generative/path-run.ts';
import { keptBytes } from '#lib/generative/sample-summary.ts';
import type { ComputationOf } from '../runner.ts';
import type runner from './paths.ts';

export const compute: ComputationOf<typeof runner> = (input, checkpoint, control) => {
  const { result, matrix } = pathRun(input, checkpoint, control);
  return { ok: true, output: { result }, attachments: {}, matrix: keptBytes(matrix) };
};
