import { assessDrift } from '#lib/modeling/drift.ts';
import type { driftAssessmentsJob } from '#lib/modeling/drift-assessments.job.ts';
import { performanceOn } from '#lib/modeling/drift-performance.ts';
import { predictionPerformance, predictionsOn } from '#lib/modeling/prediction/performance.ts';
import type { Computation } from '../runner.ts';
import { refuseAltered } from './altered-snapshot.ts';
import type { LoadedDrift } from './drift-assessments.ts';

export const compute: Computation<typeof driftAssessmentsJob, LoadedDrift> = (input, loaded) => {
  const { reference, current, checkpoint, altered } = loaded;
  if (altered !== null) return refuseAltered(altered);
  const dimensions = input.columns.length;
  const compared = {
    columns: input.columns,
    reference: { values: reference.values, dimensions },
    current: { values: current.values, dimensions },
  };
  const result =
    'regimes' in checkpoint
      ? assessDrift(compared, performanceOn(checkpoint, reference.values, current))
      : assessDrift(compared, predictionPerformance(checkpoint, current), {
          target: checkpoint.target,
          reference: predictionsOn(checkpoint, reference),
          current: predictionsOn(checkpoint, current),
        });
  return { ok: true, output: { result }, attachments: {} };
};
