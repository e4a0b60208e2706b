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

/** Every change there is. A pair that is not listed is refused; what has ended stays so. */
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

/** The state after an event; undefined where the event cannot happen. */
export function nextDelegationState(
  state: DelegationState,
  event: DelegationEvent,
): DelegationState | undefined {
  return delegationTransitions[event][state];
}

/** A draft that nobody completes within so many days has expired. */
export const DRAFT_DAYS = 7;
