import type { Budgets } from './terms.ts';

export type Window = 'day' | 'month';

/** The reserved and the settled amount of a budget in a day or month, in minor units. */
export type WindowUse = { reserved: bigint; settled: bigint };

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Returns the calendar day (`YYYY-MM-DD`) and month (`YYYY-MM`) of an instant in an IANA time zone. Budgets per day are
 * counted per calendar day, so up to twice the budget of a day can be used around midnight. The budget of the month
 * still applies.
 */
export function windowsAt(instant: Date, timeZone: string): { day: string; month: string } {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
    formats.set(timeZone, format);
  }
  const day = format.format(instant);
  return { day, month: day.slice(0, 7) };
}

export type BudgetRefusal =
  | { code: 'amount_not_positive' }
  | { code: 'per_action_exceeded'; bound_minor: number }
  | { code: 'budget_exceeded'; window: Window; bound_minor: number; remaining_minor: number };

/**
 * Returns why the remaining budgets do not cover an amount, with the violated limit; undefined if they cover
 * it. Reserved amounts count as used.
 */
export function budgetRefusal(
  amount: bigint,
  budgets: Budgets,
  use: Record<Window, WindowUse>,
): BudgetRefusal | undefined {
  if (amount < 1n) return { code: 'amount_not_positive' };
  if (amount > BigInt(budgets.per_action_minor)) {
    return { code: 'per_action_exceeded', bound_minor: budgets.per_action_minor };
  }
  for (const [window, cap] of [
    ['day', budgets.per_day_minor],
    ['month', budgets.per_month_minor],
  ] as const) {
    const used = use[window].reserved + use[window].settled;
    if (used + amount > BigInt(cap)) {
      const remaining_minor = Math.max(0, Number(BigInt(cap) - used));
      return { code: 'budget_exceeded', window, bound_minor: cap, remaining_minor };
    }
  }
  return undefined;
}

export const reservationStates = ['reserved', 'settled', 'released', 'stuck'] as const;
export type ReservationState = (typeof reservationStates)[number];
export const reservationEvents = ['settle', 'release', 'stick'] as const;
export type ReservationEvent = (typeof reservationEvents)[number];

/**
 * All allowed transitions. A reservation ends once. A reservation with an unknown outcome becomes stuck: its
 * amount stays reserved, and it is listed as an exception.
 */
export const reservationTransitions: Record<
  ReservationEvent,
  Partial<Record<ReservationState, ReservationState>>
> = {
  settle: { reserved: 'settled', stuck: 'settled' },
  release: { reserved: 'released', stuck: 'released' },
  stick: { reserved: 'stuck' },
};

/** Hours without an outcome after which a reservation is stuck. */
export const LEASE_HOURS = 24;

/**
 * The outcome of a reservation. Evidence is required if the reservation is stuck: its outcome was not
 * reported in time, or an amount above the reserved amount was reported.
 */
export type Outcome =
  | { event: 'settle'; actual: bigint; evidence?: string | null }
  | { event: 'release'; evidence?: string | null };

export type OutcomeRefusal =
  | 'reservation_ended'
  | 'amount_not_positive'
  | 'settled_above_reservation'
  | 'full_settlement_required'
  | 'evidence_required';

/**
 * Returns why an outcome is refused, or undefined if the outcome ends the reservation. If a settlement above the
 * reservation was ever reported, the reservation can only be settled at its full amount and never released.
 */
export function outcomeRefusal(
  { state, amount, offered }: { state: ReservationState; amount: bigint; offered: bigint | null },
  outcome: Outcome,
): OutcomeRefusal | undefined {
  if (!reservationTransitions[outcome.event][state]) return 'reservation_ended';
  if (outcome.event === 'settle' && outcome.actual < 1n) return 'amount_not_positive';
  if (outcome.event === 'settle' && outcome.actual > amount) return 'settled_above_reservation';
  if (offered !== null && (outcome.event === 'release' || outcome.actual !== amount)) {
    return 'full_settlement_required';
  }
  return state === 'stuck' && !outcome.evidence ? 'evidence_required' : undefined;
}
