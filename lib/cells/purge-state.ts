/** How long the old copy of a moved workspace is kept at least, in days. */
export const COPY_KEPT_DAYS = 30;
/** How long a request to delete an old copy waits for a second person, in days. */
export const REQUEST_DAYS = 7;

const DAY_MS = 86_400_000;

/** The old copy of a workspace, as its old cell records it. */
export type OldCopy = {
  movedAt: Date;
  isPurged: boolean;
  request: { by: string; at: Date } | undefined;
};

export type PurgeVerdict =
  | { ok: true; step: 'requested' | 'approved' }
  | { ok: false; code: 'copy_kept' | 'same_person' | 'copy_purged' };

/**
 * Decides whether a person may delete the old copy of a moved workspace: after 30 days, and on the request of another
 * person within the last 7 days. Without such a request, the person requests it.
 */
export function decidePurge(
  { movedAt, isPurged, request }: OldCopy,
  person: string,
  now: Date,
): PurgeVerdict {
  if (isPurged) return { ok: false, code: 'copy_purged' };
  if (now.getTime() < movedAt.getTime() + COPY_KEPT_DAYS * DAY_MS) return { ok: false, code: 'copy_kept' };
  if (!request || now.getTime() > request.at.getTime() + REQUEST_DAYS * DAY_MS)
    return { ok: true, step: 'requested' };
  return request.by === person ? { ok: false, code: 'same_person' } : { ok: true, step: 'approved' };
}
