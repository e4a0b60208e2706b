import type { StepState } from './run-states.ts';

export type ApprovalFacts = {
  state: StepState;
  /** Whether the time of the run is over, though nobody has ended it yet. */
  isLate: boolean;
  /** Who asked for the run. */
  requestedBy: string;
};
export type ApprovalRefusal = 'step_not_waiting' | 'second_person_required' | 'approver_not_eligible';
export type ApprovalVerdict = { ok: true } | { ok: false; code: ApprovalRefusal };

/** The roles of those who decide in the runs of workflows. */
export const APPROVING_ROLES = ['approver', 'owner'] as const;

/** Whether a person may approve a step that waits: another one than who asked for the run, in an approving role. */
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
