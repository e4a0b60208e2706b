export const retrainingStates = ['pending_review', 'approved', 'rejected'] as const;
export type RetrainingState = (typeof retrainingStates)[number];

export type RetrainingFacts = {
  state: RetrainingState;
  /** Who wrote the version of the model. */
  author: string;
  /** Who answers for the application that asked for the assessment. */
  requester: string;
};

export type ReviewVerdict =
  | { ok: true; next: 'approved' | 'rejected' }
  | { ok: false; code: 'request_already_reviewed' | 'reviewer_is_author' | 'reviewer_is_requester' };

/** Whether a person may decide about a request to train a model anew: once, and neither its author nor who asked. */
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
