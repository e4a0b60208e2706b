export const delegationStates = [
  'draft',
  'activated',
  'suspended',
  'rejected',
  'withdrawn',
  'expired',
  'revoked',
  'superseded',
] as const;
export type DelegationState = (typeof delegationStates)[number];

export const delegationEvents = [
  'activate',
  'reject',
  'withdraw',
  'suspend',
  'resume',
  'revoke',
  'expire',
  'supersede',
] as const;
export type DelegationEvent = (typeof delegationEvents)[number];

/** All allowed transitions. Every other pair is refused. An ended delegation never changes state. */
export const delegationTransitions: Record<
  DelegationEvent,
  Partial<Record<DelegationState, DelegationState>>
> = {
  activate: { draft: 'activated' },
  reject: { draft: 'rejected' },
  withdraw: { draft: 'withdrawn' },
  suspend: { activated: 'suspended' },
  resume: { suspended: 'activated' },
  revoke: { activated: 'revoked', suspended: 'revoked' },
  expire: { draft: 'expired', activated: 'expired', suspended: 'expired' },
  supersede: { activated: 'superseded', suspended: 'superseded' },
};

/** Returns the state after an event, or undefined if the event is not allowed. */
export function nextDelegationState(
  state: DelegationState,
  event: DelegationEvent,
): DelegationState | undefined {
  return delegationTransitions[event][state];
}

/** A draft that is not fully approved expires after this number of days. */
export const DRAFT_DAYS = 7;
