import { pathRun } from '#lib/models/scenarios/path-run.ts';
import { keptBytes } from '#lib/models/scenarios/sample-summary.ts';
import type { ComputationOf } from '../process/runner.ts';
import type runner from './paths.ts';

export const compute: ComputationOf<typeof runner> = (input, checkpoint, control) => {
  const { result, matrix } = pathRun(input, checkpoint, control);
  return { ok: true, output: { result }, attachments: {}, matrix: keptBytes(matrix) };
};
