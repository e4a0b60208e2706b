import type { DatasetKind } from './dataset-kind.ts';

export const KEEP_YEARS_MAX = 200;

/**
 * The kinds whose observations may be let go: what is said of instruments and themes holds until something else is, and
 * a numeric dataset is one table, approved as a whole.
 */
export const retainedKinds: readonly DatasetKind[] = [
  'prices',
  'corporate_actions',
  'fundamentals',
  'economics',
  'metrics',
];

export type RetentionVerdict =
  | { ok: true }
  | { ok: false; code: 'dataset_of_platform' }
  | { ok: false; code: 'dataset_kind_kept'; detail: string };

/** Whether the owner of a dataset may say how long it is kept. */
export function decideRetention({
  kind,
  workspace,
}: {
  kind: DatasetKind;
  workspace: string | null;
}): RetentionVerdict {
  if (!retainedKinds.includes(kind)) {
    return { ok: false, code: 'dataset_kind_kept', detail: `A dataset of ${kind} is kept as a whole.` };
  }
  return workspace === null ? { ok: false, code: 'dataset_of_platform' } : { ok: true };
}
