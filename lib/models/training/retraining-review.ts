export const retrainingStates = ['pending_review', 'approved', 'rejected'] as const;
export type RetrainingState = (typeof retrainingStates)[number];

export type RetrainingFacts = {
  state: RetrainingState;
  /** Author of the model version. */
  author: string;
  /** Person accountable for the application that requested the assessment. */
  requester: string;
};

export type ReviewVerdict =
  | { ok: true; next: 'approved' | 'rejected' }
  | { ok: false; code: 'request_already_reviewed' | 'reviewer_is_author' | 'reviewer_is_requester' };

/**
 * Decides whether a person may review a retraining request. A request is reviewed once, by neither the author nor the
 * requester.
 */
export function decideRetraining(
  { state, author, requester }: RetrainingFacts,
  event: 'approve' | 'reject',
  reviewer: string,
): ReviewVerdict {
  if (state !== 'pending_review') return { ok: false, code: 'request_already_reviewed' };
  if (reviewer === author) return { ok: false, code: 'reviewer_is_author' };
  if (reviewer === requester) return { ok: false, code: 'reviewer_is_requester' };
  return { ok: true, next: event === 'approve' ? 'approved' : 'rejected' };
}
