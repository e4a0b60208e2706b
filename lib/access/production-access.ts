export const productionAccessStates = ['requested', 'approved', 'revoked'] as const;
export type ProductionAccessState = (typeof productionAccessStates)[number];

export const productionAccessEvents = ['request', 'approve', 'revoke'] as const;
export type ProductionAccessEvent = (typeof productionAccessEvents)[number];

/** A request that was not approved lapses after this number of days, and must then be made again. */
export const REQUEST_DAYS = 7;

export type ProductionAccessFacts = {
  state: ProductionAccessState | 'none';
  requestedBy: string | undefined;
  requestedAt: Date | undefined;
};

export type ProductionAccessVerdict =
  | { ok: true; next: ProductionAccessState }
  | {
      ok: false;
      code:
        | 'production_access_not_requested'
        | 'production_access_requested'
        | 'production_access_approved'
        | 'production_access_request_lapsed'
        | 'second_person_required';
    };

/**
 * Decides whether the production access of an application may be requested, approved or revoked, and returns
 * the next state. One person requests the access, and another person approves the request. Any person may
 * revoke the access or a pending request. After a revocation, the access must be requested again.
 */
export function decideProductionAccess(
  { state, requestedBy, requestedAt }: ProductionAccessFacts,
  event: ProductionAccessEvent,
  person: string,
  now: Date,
): ProductionAccessVerdict {
  const lapsed =
    state === 'requested' && now.getTime() - requestedAt!.getTime() > REQUEST_DAYS * 24 * 3_600_000;
  if (event === 'request') {
    if (state === 'approved') return { ok: false, code: 'production_access_approved' };
    if (state === 'requested' && !lapsed) return { ok: false, code: 'production_access_requested' };
    return { ok: true, next: 'requested' };
  }
  if (event === 'revoke') {
    if (state === 'none' || state === 'revoked')
      return { ok: false, code: 'production_access_not_requested' };
    return { ok: true, next: 'revoked' };
  }
  if (state === 'approved') return { ok: false, code: 'production_access_approved' };
  if (state !== 'requested') return { ok: false, code: 'production_access_not_requested' };
  if (lapsed) return { ok: false, code: 'production_access_request_lapsed' };
  if (person === requestedBy) return { ok: false, code: 'second_person_required' };
  return { ok: true, next: 'approved' };
}
