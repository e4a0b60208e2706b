import { assessDrift } from '#lib/modeling/drift.ts';
import type { driftAssessmentsJob } from '#lib/modeling/drift-assessments.job.ts';
import { performanceOn } from '#lib/modeling/drift-performance.ts';
import type { Computation } from '../runner.ts';
import type { LoadedDrift } from './drift-assessments.ts';

export const compute: Computation<typeof driftAssessmentsJob, LoadedDrift> = (input, loaded) => {
  const { reference, current, checkpoint } = loaded;
  const dimensions = input.columns.length;
  const compared = {
    columns: input.columns,
    reference: { values: reference, dimensions },
    current: { values: current.values, dimensions },
  };
  const result = assessDrift(compared, performanceOn(checkpoint, reference, current));
  return { ok: true, output: { result }, attachments: {} };
};
