import type { ExceptionKind } from '../exceptions/exception-kinds.ts';
import type { OrderSettlement } from './settlement.ts';

/**
 * A possible cause of an exception, as a hint for a person. It has no effect on any decision. The score is in percent.
 */
export type SuggestedCause = { code: CauseCode; score: number; evidence: string };
export const causeCodes = ['rounding', 'fees_or_taxes', 'settled_twice', 'partial_settlement'] as const;
export type CauseCode = (typeof causeCodes)[number];

/** Returns the usual causes of an exception of this kind, most likely first. */
export function causesOf(kind: ExceptionKind, settlement: OrderSettlement): SuggestedCause[] {
  const { order, quantity, amountMinor, movements, amount } = settlement;
  if (kind === 'quantity_short') {
    return [{ code: 'partial_settlement', score: 80, evidence: `${movements.length} movements so far` }];
  }
  if (kind === 'quantity_over') {
    const twice = movements.find(({ line }) => line.quantity === quantity - order.quantity);
    return twice
      ? [
          {
            code: 'settled_twice',
            score: 70,
            evidence: `line ${twice.line.reference} has exactly the excess quantity`,
          },
        ]
      : [];
  }
  if (kind !== 'amount_difference' || !amount) return [];
  const { difference, expected } = amount;
  const size = difference < 0n ? -difference : difference;
  if (size <= BigInt(movements.length)) {
    return [
      { code: 'rounding', score: 90, evidence: 'the difference is at most one minor unit per movement' },
    ];
  }
  const isDearer = order.side === 'buy' ? difference > 0n : difference < 0n;
  return isDearer && size * 50n <= expected
    ? [
        {
          code: 'fees_or_taxes',
          score: 60,
          evidence: `the amount ${amountMinor} is within 2 percent of the confirmed amount, to the investor's disadvantage`,
        },
      ]
    : [];
}
