export const entitlementStates = ['proposed', 'active', 'suspended', 'ended'] as const;
export type EntitlementState = (typeof entitlementStates)[number];

export const entitlementEvents = ['approve', 'suspend', 'end'] as const;
export type EntitlementEvent = (typeof entitlementEvents)[number];

/** The facts about an entitlement that determine which changes of its state are allowed. Persons are uids. */
export type EntitlementFacts = {
  state: EntitlementState;
  proposedBy: string;
  suspendedBy: string | null | undefined;
};

export type EntitlementVerdict =
  | { ok: true; next: EntitlementState }
  | {
      ok: false;
      code: 'entitlement_ended' | 'entitlement_active' | 'entitlement_not_active' | 'second_person_required';
    };

/**
 * Decides whether a person may approve, suspend or end an entitlement, and returns the next state. The proposer of an
 * entitlement cannot approve it, and the person who suspended it cannot resume it. One person alone can suspend or end
 * an entitlement. An ended entitlement never changes.
 */
export function decideEntitlementChange(
  { state, proposedBy, suspendedBy }: EntitlementFacts,
  event: EntitlementEvent,
  person: string,
): EntitlementVerdict {
  if (state === 'ended') return { ok: false, code: 'entitlement_ended' };
  if (event === 'end') return { ok: true, next: 'ended' };
  if (event === 'suspend') {
    return state === 'active'
      ? { ok: true, next: 'suspended' }
      : { ok: false, code: 'entitlement_not_active' };
  }
  if (state === 'active') return { ok: false, code: 'entitlement_active' };
  const first = state === 'proposed' ? proposedBy : suspendedBy;
  if (person === first) return { ok: false, code: 'second_person_required' };
  return { ok: true, next: 'active' };
}

export type EntitlementStatus = 'active' | 'scheduled' | 'expired' | 'suspended';

/** Returns the status of an entitlement at an instant, from its state and its period. */
export function entitlementStatus(
  {
    state,
    validFrom,
    validUntil,
  }: { state: EntitlementState; validFrom: Date | null; validUntil: Date | null },
  at: Date,
): EntitlementStatus {
  if (state === 'ended' || (validUntil !== null && at >= validUntil)) return 'expired';
  if (state === 'suspended') return 'suspended';
  return validFrom !== null && at < validFrom ? 'scheduled' : 'active';
}
