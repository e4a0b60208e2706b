import { valuesByDay } from '#lib/data/numeric-values.query.ts';
import type { Em } from '#lib/database/base.ts';
import type { Checkpoint } from '#lib/models/registry/checkpoint.schema.ts';
import type { ScenarioInput } from './scenarios.schema.ts';

/**
 * Reads the returns of the training months of a checkpoint, row by row; null if no training set is given. Throws if the
 * checkpoint was trained on content other than the training set.
 */
export async function trainingMonths(
  em: Em,
  trainingSet: ScenarioInput['training_set'],
  checkpoint: Checkpoint,
): Promise<Float64Array | null> {
  if (trainingSet === null) return null;
  if (trainingSet.content_hash !== checkpoint.training_data_hash)
    throw new Error('the checkpoint was trained on different content');
  const { values } = await valuesByDay(em, trainingSet, checkpoint.factors);
  return values;
}
