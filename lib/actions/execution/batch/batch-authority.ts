import type { AuthorityBody } from '../../authority/authority-body.ts';
import type { FailedAtom } from '../../delegations/coverage.ts';
import { windowsAt, type Window } from '../../delegations/windows.ts';
import { ENVELOPE_ACTION } from './order.ts';

/** An amount of one currency, in minor units. */
export type Gross = { currency: string; amountMinor: bigint };

/** The authority that a decision about a batch needs, and the amount of the batch's orders in each currency. */
export type BatchDecision = { capability: 'approve' | 'release'; gross: readonly Gross[] };

/**
 * The amounts of earlier decisions under an authority, by currency, in the calendar day and month of a decision.
 */
export type AuthorityUse = ReadonlyMap<string, Record<Window, bigint>>;

/**
 * Returns each limit of an authority that a decision about a batch exceeds. Returns an empty list if the authority
 * covers the decision.
 */
export function uncoveredBatch(
  { actions, capabilities, limits }: AuthorityBody,
  { capability, gross }: BatchDecision,
  use: AuthorityUse = new Map(),
): FailedAtom[] {
  const failed: FailedAtom[] = [];
  if (!capabilities.includes(capability)) {
    failed.push({ path: 'capabilities', op: 'contains', expected: capability, actual: capabilities });
  }
  if (!actions.includes(ENVELOPE_ACTION)) {
    failed.push({ path: 'action', op: 'in', expected: actions, actual: ENVELOPE_ACTION });
  }
  for (const { currency, amountMinor } of gross) {
    const limit = limits.find((each) => each.currency === currency);
    if (!limit) {
      const expected = limits.map((each) => each.currency);
      failed.push({ path: 'currency', op: 'in', expected, actual: currency });
      continue;
    }
    const used = use.get(currency) ?? { day: 0n, month: 0n };
    for (const [bound, sum] of [
      ['per_action_minor', amountMinor],
      ['per_day_minor', used.day + amountMinor],
      ['per_month_minor', used.month + amountMinor],
    ] as const) {
      const max = limit[bound];
      if (max === null || sum <= BigInt(max)) continue;
      failed.push({ path: `gross.${currency}.${bound}`, op: 'lte', expected: max, actual: String(sum) });
    }
  }
  return failed;
}

/** An earlier decision that was made under an authority. */
export type PastDecision = { at: Date; gross: readonly Gross[] };

/** Returns the sums of past decisions in the calendar day and the month of an instant, in a time zone. */
export function useAt(past: readonly PastDecision[], instant: Date, timeZone: string): AuthorityUse {
  const now = windowsAt(instant, timeZone);
  const use = new Map<string, Record<Window, bigint>>();
  for (const { at, gross } of past) {
    const then = windowsAt(at, timeZone);
    if (then.month !== now.month) continue;
    for (const { currency, amountMinor } of gross) {
      const { day, month } = use.get(currency) ?? { day: 0n, month: 0n };
      const ofDay = then.day === now.day ? amountMinor : 0n;
      use.set(currency, { day: day + ofDay, month: month + amountMinor });
    }
  }
  return use;
}
