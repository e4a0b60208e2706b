import type { Environment } from '#lib/database/base.ts';
import type { NumericDataset } from '#lib/data/numeric-dataset.write.ts';

export type TrainableRefusal = {
  ok: false;
  code: 'dataset_unknown' | 'snapshots_elsewhere' | 'dataset_not_governed' | 'dataset_without_days';
  detail: string;
};

/**
 * Decides whether a model can be trained on a numeric dataset. The dataset must be governed, or research must have
 * sealed its content. Its rows must have dates. Content that was sealed in another environment is refused.
 */
export function decideTrainable(
  dataset: NumericDataset | null,
  environment: Environment,
): { ok: true; dataset: NumericDataset } | TrainableRefusal {
  const refused = (code: TrainableRefusal['code'], detail: string) => ({ ok: false as const, code, detail });
  if (!dataset) return refused('dataset_unknown', 'The workspace has no numeric dataset with this id.');
  const { snapshots, governance } = dataset;
  if (snapshots && snapshots.environment !== environment) {
    const detail = `The snapshots of the dataset were sealed in the environment ${snapshots.environment}.`;
    return refused('snapshots_elsewhere', detail);
  }
  if (!governance.governed && !snapshots) {
    const detail = `The dataset is not governed: ${governance.reasons.join(', ')}.`;
    return refused('dataset_not_governed', detail);
  }
  if (dataset.hasDates) return { ok: true, dataset };
  return refused(
    'dataset_without_days',
    'The rows of the dataset have no dates, but training requires dates.',
  );
}
