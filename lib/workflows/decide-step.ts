import type { StepState } from './run-states.ts';

export type ApprovalFacts = {
  state: StepState;
  /** Whether the run has exceeded its time limit but has not been ended yet. */
  isLate: boolean;
  /** The person who started the run. */
  requestedBy: string;
};
export type ApprovalRefusal = 'step_not_waiting' | 'second_person_required' | 'approver_not_eligible';
export type ApprovalVerdict = { ok: true } | { ok: false; code: ApprovalRefusal };

/** The roles whose holders may decide in workflow runs. */
export const APPROVING_ROLES = ['approver', 'owner'] as const;

/**
 * Decides whether a person may approve a waiting step. The person must have an approving role, and must not be the
 * person who started the run.
 */
export function decideApproval(
  { state, isLate, requestedBy }: ApprovalFacts,
  person: { uid: string; roles: readonly string[] },
): ApprovalVerdict {
  if (state !== 'waiting_approval' || isLate) return { ok: false, code: 'step_not_waiting' };
  if (person.uid === requestedBy) return { ok: false, code: 'second_person_required' };
  return APPROVING_ROLES.some((role) => person.roles.includes(role))
    ? { ok: true }
    : { ok: false, code: 'approver_not_eligible' };
}
