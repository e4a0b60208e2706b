import type { DatasetKind } from './dataset-kind.ts';

export const KEEP_YEARS_MAX = 200;

/**
 * The kinds of datasets that can have a retention. Instruments and taxonomies cannot have a retention, because their
 * rows stay valid until they are replaced. A numeric dataset cannot have a retention, because it is one table that is
 * approved as a whole.
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

/** Decides whether the owner of a dataset may set its retention. */
export function decideRetention({
  kind,
  workspace,
}: {
  kind: DatasetKind;
  workspace: string | null;
}): RetentionVerdict {
  if (!retainedKinds.includes(kind)) {
    return {
      ok: false,
      code: 'dataset_kind_kept',
      detail: `A dataset of ${kind} cannot have a retention period, because its rows are kept until they are replaced.`,
    };
  }
  return workspace === null ? { ok: false, code: 'dataset_of_platform' } : { ok: true };
}
