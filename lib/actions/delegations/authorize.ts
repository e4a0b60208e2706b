import { instantOf } from '#lib/core/clock.ts';
import type { Answer } from '../authority/ask-policies.query.ts';
import type { DelegationState } from './states.ts';
import type { DelegationTerms, ExecutionMode } from './terms.ts';
import {
  budgetRefusal,
  type BudgetRefusal,
  type ReservationState,
  type Window,
  type WindowUse,
} from './windows.ts';

/**
 * The action that a machine wants to execute: the fields that delegation terms also have, the amount and the
 * obligation.
 */
export type Envelope = {
  action: string;
  counterparty_id: number;
  connector: string;
  currency: string;
  amount_minor: number;
  execution_mode: ExecutionMode;
  obligation_uid: string | null;
};

/** Returns the requested action. A field that the machine omits has the value of the machine's delegation. */
export function envelopeOf(
  terms: DelegationTerms,
  said: { amount_minor: number } & { [Part in keyof Envelope]?: Envelope[Part] | undefined },
): Envelope {
  return {
    action: said.action ?? terms.action,
    counterparty_id: said.counterparty_id ?? terms.counterparty_id,
    connector: said.connector ?? terms.connector,
    currency: said.currency ?? terms.currency,
    execution_mode: said.execution_mode ?? terms.execution_mode,
    amount_minor: said.amount_minor,
    obligation_uid: said.obligation_uid ?? null,
  };
}

/** The fields of an obligation that determine whether a machine can act on the obligation. */
export type ObligationFacts = { state: string; type: string; counterparty_id: number; currency: string };

export type AuthorizeFacts = {
  state: DelegationState;
  terms: DelegationTerms;
  activatedAt: Date | null;
  now: Date;
  isIdentityActive: boolean;
  /** Whether the authorities that approved the delegation are still active. */
  isSupported: boolean;
  /** Whether the records named in the terms are active, and all ceilings still cover the terms. */
  isCurrent: boolean;
  /** Whether the workspace has stopped all financial actions. */
  isFrozen: boolean;
  /**
   * The obligation named in the envelope: null if the envelope names no obligation, `unknown` if the named obligation
   * does not exist.
   */
  obligation: ObligationFacts | 'unknown' | null;
  use: Record<Window, WindowUse>;
};

export type AuthorizeRefusal =
  | { code: 'delegation_not_active'; state: DelegationState }
  | { code: 'delegation_not_in_time'; valid_from: string | null; valid_until: string }
  | { code: 'identity_not_active' }
  | { code: 'delegation_not_supported' }
  | { code: 'terms_no_longer_valid' }
  | { code: 'financial_actions_frozen' }
  | { code: 'outside_delegation'; failed: { path: string; expected: unknown; actual: unknown }[] }
  | { code: 'obligation_not_actionable'; state: string }
  | BudgetRefusal;

/**
 * Returns why a machine may not execute the action of the envelope now, or undefined if its delegation covers
 * the action. The caller evaluates the policies afterwards.
 */
export function authorizeRefusal(facts: AuthorizeFacts, envelope: Envelope): AuthorizeRefusal | undefined {
  return validityRefusal(facts, envelope) ?? amountRefusal(facts, envelope);
}

/**
 * Returns why a delegation does not cover the action now, regardless of its budgets. The caller also checks
 * this for an action that was already reserved under the same reference.
 */
export function validityRefusal(
  facts: Omit<AuthorizeFacts, 'use'>,
  envelope: Envelope,
): AuthorizeRefusal | undefined {
  const { state, terms, now } = facts;
  if (state !== 'activated') return { code: 'delegation_not_active', state };
  const { valid_from, valid_until } = terms;
  const from = valid_from === null ? facts.activatedAt : instantOf(valid_from);
  // A comparison with a time that cannot be parsed is false. The condition is therefore negated, so that such
  // a time is refused.
  if (!(from !== null && now >= from && now < instantOf(valid_until))) {
    return {
      code: 'delegation_not_in_time',
      valid_from: valid_from ?? from?.toISOString() ?? null,
      valid_until,
    };
  }
  if (!facts.isIdentityActive) return { code: 'identity_not_active' };
  if (!facts.isSupported) return { code: 'delegation_not_supported' };
  if (!facts.isCurrent) return { code: 'terms_no_longer_valid' };
  if (facts.isFrozen) return { code: 'financial_actions_frozen' };
  const failed = [...differing(terms, envelope), ...otherObligation(terms, facts.obligation)];
  if (failed.length) return { code: 'outside_delegation', failed };
  const obligation = facts.obligation === 'unknown' ? 'unknown' : (facts.obligation?.state ?? 'registered');
  return obligation === 'registered' ? undefined : { code: 'obligation_not_actionable', state: obligation };
}

/** Returns why an amount is not valid or is above the remaining budgets. */
export function amountRefusal(
  { terms, use }: Pick<AuthorizeFacts, 'terms' | 'use'>,
  { amount_minor: amount }: Envelope,
): AuthorizeRefusal | undefined {
  if (!Number.isSafeInteger(amount)) return { code: 'amount_not_positive' };
  return budgetRefusal(BigInt(amount), terms.budgets, use);
}

export type UseFacts = {
  facts: Omit<AuthorizeFacts, 'use'>;
  /** The reservation with the same reference, and whether it is for the same envelope. */
  known: { state: ReservationState; leaseUntil: Date; isSame: boolean } | null;
  /** The usage of the budgets. It is read only if the delegation covers the action. */
  use?: Record<Window, WindowUse>;
  /** The decision of the policies. The policies are evaluated only if the budgets can cover the amount. */
  answer?: Answer;
};

export type UseVerdict =
  | { ok: true; isRepeated: boolean }
  | ({ ok: false } & AuthorizeRefusal)
  | { ok: false; code: 'reference_reused' }
  | { ok: false; code: 'reservation_ended'; state: ReservationState; lease_until: string }
  | { ok: false; code: 'policy_denied'; answer: Answer };

/**
 * Decides whether a machine may execute an action now under its delegation. If the reference was already used
 * for the same action, the action is allowed while its reservation waits for an outcome and the delegation
 * still covers the action.
 */
export function decideUse({ facts, known, use, answer }: UseFacts, envelope: Envelope): UseVerdict {
  if (known && !known.isSame) return { ok: false, code: 'reference_reused' };
  const invalid = validityRefusal(facts, envelope);
  if (invalid) return { ok: false, ...invalid };
  if (known) {
    if (isHeld(known, facts.now)) return { ok: true, isRepeated: true };
    const { state, leaseUntil } = known;
    return { ok: false, code: 'reservation_ended', state, lease_until: leaseUntil.toISOString() };
  }
  const refusal = amountRefusal({ terms: facts.terms, use: use! }, envelope);
  if (refusal) return { ok: false, ...refusal };
  return answer!.effect === 'deny'
    ? { ok: false, code: 'policy_denied', answer: answer! }
    : { ok: true, isRepeated: false };
}

/** Whether a reservation still waits for its outcome: it has not ended, and its lease has not expired. */
export function isHeld(
  { state, leaseUntil }: { state: ReservationState; leaseUntil: Date },
  now: Date,
): boolean {
  return state === 'reserved' && now < leaseUntil;
}

const tuple = ['action', 'counterparty_id', 'connector', 'currency', 'execution_mode'] as const;

function differing(terms: DelegationTerms, envelope: Envelope) {
  return tuple
    .filter((path) => terms[path] !== envelope[path])
    .map((path) => ({ path, expected: terms[path], actual: envelope[path] }));
}

/** Matches the actions on a registered obligation. The envelope must name the obligation. */
const onObligations = /^obligation\./;

/**
 * Returns the fields in which the obligation differs from the terms. If the action requires an obligation and the
 * envelope names no obligation, returns the field `obligation_uid`.
 */
function otherObligation(terms: DelegationTerms, obligation: AuthorizeFacts['obligation']) {
  if (obligation === null) {
    return onObligations.test(terms.action)
      ? [{ path: 'obligation_uid', expected: 'an obligation', actual: null }]
      : [];
  }
  if (obligation === 'unknown') return [];
  return (['counterparty_id', 'currency'] as const)
    .filter((path) => terms[path] !== obligation[path])
    .map((path) => ({ path: `obligation.${path}`, expected: terms[path], actual: obligation[path] }));
}
