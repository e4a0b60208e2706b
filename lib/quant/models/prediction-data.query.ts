import { canonicalHash } from '#lib/core/seal.ts';
import type { Em } from '#lib/database/base.ts';
import { valuesByDay } from '#lib/data/numeric-values.query.ts';
import { readAnyCheckpoint } from '#lib/models/registry/checkpoint.query.ts';
import type { PredictionRunInput } from './prediction-runs.schema.ts';
import type { PredictionData } from './run-prediction.ts';

/** Reads the rows and the checkpoint of a prediction. Throws if the checkpoint does not belong to the version. */
export async function predictionData(
  em: Em,
  { training_uid, checkpoint_hash, dataset, rows }: PredictionRunInput,
): Promise<PredictionData> {
  const checkpoint = await readAnyCheckpoint(em, training_uid);
  if (!('parameters' in checkpoint) || canonicalHash(checkpoint) !== checkpoint_hash)
    throw new Error('the checkpoint differs from the checkpoint of the version');
  const { factors } = checkpoint;
  if (dataset) return { checkpoint, rows: { factors, ...(await valuesByDay(em, dataset, factors)) } };
  const days = rows!.map(({ date }) => date);
  const values = Float64Array.from(
    rows!.flatMap((row) => factors.map((name) => row.values[name] ?? Number.NaN)),
  );
  return { checkpoint, rows: { factors, days, values } };
}
