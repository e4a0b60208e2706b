import { driftThresholds } from './drift-rule.ts';

export type DriftFacts = {
  /** The checkpoint that passed its evaluation; null if no checkpoint has passed. */
  checkpoint: { columns: readonly string[]; trainingDataHash: string; lastMonth: string } | null;
  dataset: {
    /** Reasons why the dataset is not governed; empty if it is governed. */
    ungoverned: readonly string[];
    contentHash: string;
    /** Time at which the content of the dataset was imported, ISO 8601. */
    importedAt: string;
    /** The numeric columns. */
    columns: readonly string[];
    rows: number;
  };
};

export type DriftIneligibilityReason =
  | { code: 'no_passed_evaluation' }
  | { code: 'dataset_not_governed'; faults: readonly string[] }
  | { code: 'dataset_is_training_set' }
  | { code: 'dataset_not_newer'; lastMonth: string }
  | { code: 'columns_missing'; columns: readonly string[] }
  | { code: 'rows_insufficient'; observed: number; needed: number };

/** Returns every reason why a dataset cannot be compared with a checkpoint; empty if the comparison is possible. */
export function driftIneligibilityReasons({ checkpoint, dataset }: DriftFacts): DriftIneligibilityReason[] {
  const reasons: DriftIneligibilityReason[] = [];
  if (!checkpoint) reasons.push({ code: 'no_passed_evaluation' });
  if (dataset.ungoverned.length > 0)
    reasons.push({ code: 'dataset_not_governed', faults: dataset.ungoverned });
  if (checkpoint) {
    const { columns, trainingDataHash, lastMonth } = checkpoint;
    if (dataset.contentHash === trainingDataHash) reasons.push({ code: 'dataset_is_training_set' });
    if (dataset.importedAt.slice(0, lastMonth.length) <= lastMonth)
      reasons.push({ code: 'dataset_not_newer', lastMonth });
    const missing = columns.filter((name) => !dataset.columns.includes(name));
    if (missing.length > 0) reasons.push({ code: 'columns_missing', columns: missing });
  }
  const needed = driftThresholds.rows_min;
  if (dataset.rows < needed) reasons.push({ code: 'rows_insufficient', observed: dataset.rows, needed });
  return reasons;
}

/** Returns a reason as text for people. */
export function ineligibilityText(reason: DriftIneligibilityReason): string {
  switch (reason.code) {
    case 'no_passed_evaluation':
      return 'the model has no checkpoint that passed an evaluation';
    case 'dataset_not_governed':
      return `the dataset is not governed (${reason.faults.join(', ')})`;
    case 'dataset_is_training_set':
      return 'the dataset has the same content that the model was trained on';
    case 'dataset_not_newer':
      return `the dataset was not imported after ${reason.lastMonth}, the end of the training data`;
    case 'columns_missing':
      return `the dataset lacks the columns ${reason.columns.join(', ')}`;
    case 'rows_insufficient':
      return `the dataset has ${reason.observed} rows, but ${reason.needed} are needed`;
  }
}
