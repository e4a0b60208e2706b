import type { Delegation } from './delegation.entity.ts';
import { termsFaults, timelessFaults, type DelegationTerms, type TermsFault } from './terms.ts';

/** The largest number of delegations that may wait for approval or be active at the same time for one identity. */
export const LIVE_MAX = 100;

export type DraftFault =
  | TermsFault
  | {
      pointer: string;
      code:
        | 'unknown_action'
        | 'action_not_delegable'
        | 'unknown_counterparty'
        | 'unknown_connector'
        | 'connector_unsupported'
        | 'invalid_currency'
        | 'identity_ceiling_exceeded'
        | 'unknown_time_zone'
        | 'unknown_delegation';
      message: string;
    };

export type DraftRefusal =
  | 'identity_not_active'
  | 'approval_graph_missing'
  | 'approval_graph_unsatisfiable'
  | 'delegation_limit_reached'
  | 'equivalent_delegation_active';

export type DraftVerdict = { ok: true } | { ok: false; code: DraftRefusal; existing?: string };

/** The facts that the terms of a draft are checked against. */
export type TermsFacts = {
  terms: DelegationTerms;
  now: Date;
  /** Faults of terms that name an inactive record, or a record that cannot be used for this identity. */
  outdated: readonly DraftFault[];
  /**
   * The uid of the delegation that the draft is to replace; null if it replaces none. `replaced` is that
   * delegation, if it exists.
   */
  replaces: string | null;
  replaced: Delegation | null;
};

export type DraftFacts = Pick<TermsFacts, 'terms' | 'replaces'> & {
  isIdentityActive: boolean;
  /** Those delegations of the identity that wait for approval or are active. */
  live: readonly Pick<Delegation, 'uid' | 'state' | 'terms'>[];
  /** Whether an approval graph applies, and whether enough independent persons can vote at all of its nodes. */
  graph: 'missing' | 'unsatisfiable' | 'satisfiable';
};

/**
 * Returns all faults of the terms, except for the time zone, which `timeZoneFault` must have checked before.
 */
export function draftFaults({ terms, now, outdated, replaces, replaced }: TermsFacts): DraftFault[] {
  const faults: DraftFault[] = [...termsFaults(terms, now), ...outdated];
  if (replaces !== null && !isReplaceable(replaced, terms, now)) {
    const message =
      'must be a delegation of this identity that is active or suspended, with the same action, counterparty, connector, currency, mode and time zone';
    faults.push({ pointer: '/replaces', code: 'unknown_delegation', message });
  }
  return faults;
}

/** Returns a fault if the time zone does not exist. The caller then reports only this fault. */
export function timeZoneFault({ time_zone }: Pick<DelegationTerms, 'time_zone'>): DraftFault | undefined {
  return isTimeZone(time_zone) ? undefined : unknownTimeZone;
}

/** Whether the terms would be refused in every workspace and at any time. */
export function areRefusedAnyway(
  terms: Pick<DelegationTerms, 'time_zone' | 'budgets' | 'risk_tier' | 'execution_mode'>,
): boolean {
  return !isTimeZone(terms.time_zone) || timelessFaults(terms).length > 0;
}

/** Decides whether a delegation with valid terms can be drafted. */
export function decideDraft({ terms, replaces, live, isIdentityActive, graph }: DraftFacts): DraftVerdict {
  if (!isIdentityActive) return { ok: false, code: 'identity_not_active' };
  if (live.length >= LIVE_MAX) return { ok: false, code: 'delegation_limit_reached' };
  const equal = live.find((each) => each.state !== 'draft' && isEquivalent(each.terms, terms));
  if (equal && equal.uid !== replaces) {
    return { ok: false, code: 'equivalent_delegation_active', existing: equal.uid };
  }
  if (graph === 'missing') return { ok: false, code: 'approval_graph_missing' };
  if (graph === 'unsatisfiable') return { ok: false, code: 'approval_graph_unsatisfiable' };
  return { ok: true };
}

const unknownTimeZone: DraftFault = {
  pointer: '/time_zone',
  code: 'unknown_time_zone',
  message: 'must be an IANA time zone such as Europe/Berlin',
};

function isTimeZone(name: string): boolean {
  return name === 'UTC' || Intl.supportedValuesOf('timeZone').includes(name);
}

/** Whether two delegations are equivalent: they have the same action, counterparty, connector, currency and mode. */
export function isEquivalent(a: DelegationTerms, b: DelegationTerms): boolean {
  return (['action', 'counterparty_id', 'connector', 'currency', 'execution_mode'] as const).every(
    (member) => a[member] === b[member],
  );
}

/**
 * Whether a delegation with these terms can replace another delegation and take over its usage of the current day and
 * month.
 */
export function isReplaceable(replaced: Delegation | null, terms: DelegationTerms, now: Date): boolean {
  return (
    replaced !== null &&
    replaced.identityUid === terms.identity_uid &&
    (replaced.state === 'activated' || replaced.state === 'suspended') &&
    replaced.validUntil > now &&
    isEquivalent(replaced.terms, terms) &&
    replaced.terms.time_zone === terms.time_zone
  );
}
