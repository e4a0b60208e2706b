import { nextDelegationState, type DelegationEvent, type DelegationState } from './states.ts';

/**
 * The changes that a person makes to a delegation with the operator CLI or the console. Each change needs only one
 * person, because it never extends a delegation.
 */
export const personEvents = [
  'reject',
  'withdraw',
  'suspend',
  'revoke',
] as const satisfies readonly DelegationEvent[];
export type PersonEvent = (typeof personEvents)[number];

export type ChangeFacts = {
  state: DelegationState;
  /** The persons related to the draft: they prepared it, or are related to the application that drafted it. */
  creators: readonly string[];
  /** Whether the person may vote at the open node. */
  isVoter: boolean;
};

export type ChangeVerdict =
  | { ok: true; next: DelegationState }
  | { ok: false; code: 'transition_not_allowed' | 'approver_not_eligible' | 'not_of_the_drafters' };

/**
 * Decides a change. A person who may vote at the open node can reject a draft; the rejection is final. A
 * person related to the draft can withdraw it.
 */
export function decideChange(
  { state, creators, isVoter }: ChangeFacts,
  event: PersonEvent,
  person: string,
): ChangeVerdict {
  const next = nextDelegationState(state, event);
  if (!next) return { ok: false, code: 'transition_not_allowed' };
  if (event === 'withdraw' && !creators.includes(person)) return { ok: false, code: 'not_of_the_drafters' };
  if (event === 'reject' && !isVoter) return { ok: false, code: 'approver_not_eligible' };
  return { ok: true, next };
}
