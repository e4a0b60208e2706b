import type { Environment } from '#lib/database/base.ts';
import type { NumericDataset } from '#lib/data/numeric-dataset.write.ts';
import type { LqmDefinition } from '#lib/models/registry/lqm.ts';
import { decideTrainable, type TrainableRefusal } from './trainable-dataset.ts';

export type RetrainingData = {
  environment: Environment;
  /** The definition of the version that drifted. */
  definition: LqmDefinition;
  dataset: NumericDataset | null;
  /** The revision that was assessed; undefined if the reviewer names another dataset. */
  assessedRevision: number | undefined;
};

export type RetrainingDataVerdict =
  | { ok: true; definition: LqmDefinition }
  | TrainableRefusal
  | { ok: false; code: 'dataset_changed' | 'columns_differ'; detail: string };

/**
 * Decides the definition of the next version, or refuses the data. The new definition differs from the
 * definition of the drifted version only in the data.
 */
export function decideRetrainingData(data: RetrainingData): RetrainingDataVerdict {
  const { definition, assessedRevision } = data;
  const trainable = decideTrainable(data.dataset, data.environment);
  if (!trainable.ok) return trainable;
  const { id, uid, revision, contentHash: content_hash, columns } = trainable.dataset;
  if (assessedRevision !== undefined && revision !== assessedRevision) {
    const detail = 'The content of the dataset changed after the assessment. Name a dataset with --dataset.';
    return { ok: false, code: 'dataset_changed', detail };
  }
  const units = new Map(columns.map(({ name, unit }) => [name, unit]));
  const other = definition.columns.find(({ name, unit }) => units.get(name) !== unit);
  if (other) {
    const detail = `The dataset has no column ${other.name} with the unit ${other.unit}.`;
    return { ok: false, code: 'columns_differ', detail };
  }
  return { ok: true, definition: { ...definition, dataset: { id, uid, revision, content_hash } } };
}
