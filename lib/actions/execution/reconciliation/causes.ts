import type { ExceptionKind } from '../exceptions/exception-kinds.ts';
import type { OrderSettlement } from './settlement.ts';

/** A guess at why, for a person to look at. It decides nothing. The score is in percent. */
export type SuggestedCause = { code: CauseCode; score: number; evidence: string };
export const causeCodes = ['rounding', 'fees_or_taxes', 'settled_twice', 'partial_settlement'] as const;
export type CauseCode = (typeof causeCodes)[number];

/** What usually stands behind an exception of this kind, the likeliest first. */
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
            evidence: `line ${twice.line.reference} is exactly what is too much`,
          },
        ]
      : [];
  }
  if (kind !== 'amount_difference' || !amount) return [];
  const { difference, expected } = amount;
  const size = difference < 0n ? -difference : difference;
  if (size <= BigInt(movements.length)) {
    return [{ code: 'rounding', score: 90, evidence: 'at most one minor unit a movement' }];
  }
  const isDearer = order.side === 'buy' ? difference > 0n : difference < 0n;
  return isDearer && size * 50n <= expected
    ? [
        {
          code: 'fees_or_taxes',
          score: 60,
          evidence: `${amountMinor} is within 2 percent, to the disadvantage`,
        },
      ]
    : [];
}
