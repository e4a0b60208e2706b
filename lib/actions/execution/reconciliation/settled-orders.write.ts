import { sql } from 'kysely';
import { formatDecimal } from '#lib/core/decimal.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Em } from '#lib/database/base.ts';
import type { OrderSettlement } from './settlement.ts';

/**
 * Records the settlement of orders, with the quantity and the amount of the custody evidence. Withdraws the settlement
 * of orders that are no longer settled. Does nothing for an order whose settlement is already recorded with the same
 * content. A settlement becomes an event of the batch's portfolio. If the portfolio does not exist yet, the event is
 * added when the portfolio is created.
 */
export async function recordSettledOrders(
  em: Em,
  orders: readonly OrderSettlement[],
  now: Date,
): Promise<void> {
  if (orders.length === 0) return;
  const settled = orders.map(({ order, quantity, amountMinor, movements }) => ({
    order_uid: order.uid,
    // Used only if the settlement is new. The event of the settlement has the same uid.
    settlement_uid: newUid(prefixes.portfolioEvent),
    quantity: formatDecimal(quantity),
    amount_minor: amountMinor.toString(),
    settled_on:
      movements
        .map(({ from }) => from.settlementDate)
        .toSorted()
        .at(-1) ?? order.settlementDate,
  }));
  await sql`
    select record_order_settlement(o.order_uid, o.settlement_uid, o.quantity, o.amount_minor, o.settled_on,
      ${now.toISOString()}::timestamptz)
    from jsonb_to_recordset(${JSON.stringify(settled)}::jsonb) o (order_uid text, settlement_uid text, quantity numeric,
      amount_minor bigint, settled_on date)
  `.execute(em.getKysely());
}
