import { instantOf } from '#lib/core/clock.ts';
import { canonicalHash } from '#lib/core/seal.ts';

export const executionModes = ['dry_run', 'supervised', 'autonomous'] as const;
export type ExecutionMode = (typeof executionModes)[number];

/** The risk tiers that can be delegated to a machine. T3 and higher tiers never can. */
export const riskTiers = ['T1', 'T2'] as const;
export type RiskTier = (typeof riskTiers)[number];

export type Budgets = { per_action_minor: number; per_day_minor: number; per_month_minor: number };

/** The approved terms of a delegation. They never change: other terms need a new draft. */
export type DelegationTerms = {
  identity_uid: string;
  action: string;
  counterparty_id: number;
  connector: string;
  currency: string;
  amount_scale: number;
  execution_mode: ExecutionMode;
  risk_tier: RiskTier;
  budgets: Budgets;
  /** Start of the validity, as an instant; null if the delegation is valid from its activation. */
  valid_from: string | null;
  valid_until: string;
  time_zone: string;
};

/** Returns the SHA-256 hash of the approved terms. */
export function termsHash(terms: DelegationTerms): string {
  return canonicalHash({ schema: 'delegation/1', ...terms });
}

export const DELEGATION_DAYS = 366;
/**
 * How far in the past the validity of a delegation may begin, in milliseconds. The tolerance is needed
 * because clocks differ.
 */
const BACK_MS = 5 * 60_000;

export type TermsFault = {
  pointer: string;
  code: 'budget_order' | 'mode_not_allowed_for_tier' | 'validity_window';
  message: string;
};

/** Returns those faults of the terms that do not depend on the workspace: faults of budgets, mode and window. */
export function termsFaults(terms: DelegationTerms, now: Date): TermsFault[] {
  return [...timelessFaults(terms), ...windowFaults(terms, now)];
}

/**
 * Returns those faults of the terms that can be found without the workspace and the time: faults of budgets and mode.
 */
export function timelessFaults({
  budgets,
  risk_tier,
  execution_mode,
}: Pick<DelegationTerms, 'budgets' | 'risk_tier' | 'execution_mode'>): TermsFault[] {
  const faults: TermsFault[] = [];
  const { per_action_minor: action, per_day_minor: day, per_month_minor: month } = budgets;
  if (!(action >= 1 && action <= day && day <= month)) {
    const message = 'must be ordered: 1 <= per_action_minor <= per_day_minor <= per_month_minor';
    faults.push({ pointer: '/budgets', code: 'budget_order', message });
  }
  if (risk_tier === 'T2' && execution_mode === 'autonomous') {
    const message = 'must not be autonomous in risk tier T2';
    faults.push({ pointer: '/execution_mode', code: 'mode_not_allowed_for_tier', message });
  }
  return faults;
}

function windowFaults({ valid_from, valid_until }: DelegationTerms, now: Date): TermsFault[] {
  const faults: TermsFault[] = [];
  const from = valid_from === null ? now.getTime() : instantOf(valid_from).getTime();
  const until = instantOf(valid_until).getTime();
  if (valid_from !== null && from < now.getTime() - BACK_MS) {
    const message = 'must not be more than 5 minutes in the past';
    faults.push({ pointer: '/valid_from', code: 'validity_window', message });
  }
  if (!(until > from && until > now.getTime() && until - from <= DELEGATION_DAYS * 86_400_000)) {
    const message = `must be in the future, after valid_from, and at most ${DELEGATION_DAYS} days after it`;
    faults.push({ pointer: '/valid_until', code: 'validity_window', message });
  }
  return faults;
}
