import type { AuthorityBody } from '../control/authority.ts';
import type { FailedAtom } from '../delegation/coverage.ts';
import { ENVELOPE_ACTION } from './order.ts';

/** What a person does to a batch by their authority, and what its orders come to in each currency, in minor units. */
export type BatchDecision = {
  capability: 'approve' | 'release';
  gross: readonly { currency: string; amountMinor: bigint }[];
};

/** Each bound of an authority that a decision about a batch goes beyond; none where it covers all. */
export function uncoveredBatch(
  { actions, capabilities, limits }: AuthorityBody,
  { capability, gross }: BatchDecision,
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
    } else if (amountMinor > BigInt(limit.per_action_minor)) {
      const path = `gross.${currency}.per_action_minor`;
      failed.push({ path, op: 'lte', expected: limit.per_action_minor, actual: String(amountMinor) });
    }
  }
  return failed;
}
