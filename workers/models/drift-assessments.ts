import { canonicalHash } from '#lib/core/seal.ts';
import { everyRow, valuesByDay } from '#lib/data/numeric-values.query.ts';
import { driftAssessmentsRun } from '#lib/models/drift/drift-assessments.run.ts';
import type { DatedRows } from '#lib/models/drift/drift-performance.ts';
import {
  keepDriftMetrics,
  recordAssessment,
  requestRetraining,
} from '#lib/models/drift/drift-record.write.ts';
import { alteredSnapshot } from '#lib/research/snapshot-series.query.ts';
import { readAnyCheckpoint } from '#lib/models/registry/checkpoint.query.ts';
import type { AnyCheckpoint } from '#lib/models/registry/model-run.schema.ts';
import { runner } from '../process/runner.ts';

/** The training rows, the rows that are compared with them, and the checkpoint. */
export type LoadedDrift = {
  reference: DatedRows;
  current: DatedRows;
  checkpoint: AnyCheckpoint;
  /**
   * The reason why the sealed snapshots of the training rows or of the compared rows cannot be used; null if there is
   * none.
   */
  altered: string | null;
};

export default runner(driftAssessmentsRun, {
  /**
   * Reads the content of both datasets as it was when the run was submitted, and checks the hash of the
   * checkpoint.
   */
  load: async (em, { input }): Promise<LoadedDrift> => {
    const checkpoint = await readAnyCheckpoint(em, input.training_uid);
    if (canonicalHash(checkpoint) !== input.checkpoint_hash)
      throw new Error(`the checkpoint of ${input.training_uid} differs from the evaluated checkpoint`);
    const reference = await valuesByDay(em, input.reference, input.columns);
    const current = await everyRow(em, input.dataset, input.columns);
    const altered =
      (await alteredSnapshot(em, input.reference)) ?? (await alteredSnapshot(em, input.dataset));
    return { reference, current, checkpoint, altered };
  },
  /** Stores the statistics and, if drift is material, requests a retraining review. */
  record: async (em, sealed) => {
    const { result } = sealed.output;
    await keepDriftMetrics(em, sealed, result.metrics);
    await recordAssessment(em, sealed, result);
    if (result.retraining_requested) await requestRetraining(em, sealed);
  },
  compute: new URL('./drift-assessments.compute.ts', import.meta.url),
});
