import { canonicalHash } from '#lib/core/seal.ts';
import { everyRow, valuesByDay } from '#lib/data/numeric-values.repository.ts';
import type { driftAssessmentsJob } from '#lib/modeling/drift-assessments.job.ts';
import type { DatedRows } from '#lib/modeling/drift-performance.ts';
import {
  keepDriftMetrics,
  recordAssessment,
  requestRetraining,
} from '#lib/modeling/drift-record.repository.ts';
import { readCheckpoint } from '#lib/registry/checkpoint.repository.ts';
import type { Checkpoint } from '#lib/registry/checkpoint.schema.ts';
import type { Loader, Recorder } from '../runner.ts';

/** The rows that were trained on, those that are compared with them, and the checkpoint. */
export type LoadedDrift = { reference: Float64Array; current: DatedRows; checkpoint: Checkpoint };

/** Reads both contents as they were when the run was submitted, and holds the checkpoint to its hash. */
export const loadDriftAssessments: Loader<typeof driftAssessmentsJob, LoadedDrift> = async (
  em,
  { input },
) => {
  const checkpoint = await readCheckpoint(em, input.training_uid);
  if (canonicalHash(checkpoint) !== input.checkpoint_hash)
    throw new Error(`the checkpoint of ${input.training_uid} is not the one that was evaluated`);
  const { values } = await valuesByDay(em, input.reference, input.columns);
  return { reference: values, current: await everyRow(em, input.dataset, input.columns), checkpoint };
};

/** Keeps the statistics and, where drift is material, asks for a review of a retraining. */
export const recordDriftAssessments: Recorder<typeof driftAssessmentsJob> = async (em, sealed) => {
  const { result } = sealed.output;
  await keepDriftMetrics(em, sealed, result.metrics);
  await recordAssessment(em, sealed, result);
  if (result.retraining_requested) await requestRetraining(em, sealed);
};
