import { sql } from 'kysely';
import { formatDecimal } from '#lib/core/decimal.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Em } from '#lib/database/base.ts';
import type { OrderState } from './order-states.ts';
import type { OrderSettlement } from './settlement.ts';

/** Whether a change of state settles an order, or ends its settlement. */
export function changesPortfolio(from: OrderState, to: OrderState): boolean {
  return (from === 'settled') !== (to === 'settled');
}

/**
 * Records orders that are settled as events of their portfolio, or withdraws those that no longer are. Each event has
 * the quantity and the amount of the custody evidence. Orders of an unknown portfolio are left out.
 */
export async function recordSettledOrders(
  em: Em,
  orders: readonly OrderSettlement[],
  now: Date,
): Promise<void> {
  for (const { order, quantity, amountMinor, movements } of orders) {
    const settledOn =
      movements
        .map(({ from }) => from.settlementDate)
        .toSorted()
        .at(-1) ?? order.settlementDate;
    await sql`
      select record_settled_order(${order.uid}, ${newUid(prefixes.portfolioEvent)},
        ${formatDecimal(quantity)}::numeric, ${amountMinor.toString()}::bigint, ${settledOn}::date,
        ${now.toISOString()}::timestamptz)
    `.execute(em.getKysely());
  }
}
