import { assessDrift } from '#lib/models/drift/drift.ts';
import { performanceOn } from '#lib/models/drift/drift-performance.ts';
import { predictionPerformance, predictionsOn } from '#lib/models/prediction/performance.ts';
import { referenceProfile } from '#lib/models/drift/reference-profile.ts';
import type { AnyCheckpoint } from '#lib/models/registry/model-run.schema.ts';
import type { Table } from '#lib/numerics/anomaly/table.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import type { ComputationOf } from '../process/runner.ts';
import type runner from './drift-assessments.ts';
import { refuseAltered } from './altered-snapshot.ts';

export const compute: ComputationOf<typeof runner> = (input, loaded) => {
  const { reference, current, checkpoint, altered } = loaded;
  if (altered !== null) return refuseAltered(altered);
  const dimensions = input.columns.length;
  requireProfile(checkpoint, input.columns, { values: reference.values, dimensions });
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

/** Checks that the training rows are the rows from which the profile in the checkpoint was computed. */
function requireProfile(
  { reference_profile: kept }: AnyCheckpoint,
  columns: readonly string[],
  rows: Table,
): void {
  if (!kept?.columns) return;
  if (canonicalHash(kept.columns) !== canonicalHash(referenceProfile(columns, rows)))
    throw new Error('the training data differs from the reference profile of the checkpoint');
}
