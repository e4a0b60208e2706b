import { sql } from 'kysely';
import { formatDecimal } from '#lib/core/decimal.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Em } from '#lib/database/base.ts';
import type { OrderBatch } from '../batch/order-batch.entity.ts';
import type { OrderSettlement } from './settlement.ts';

/**
 * Records orders that are settled as events of the portfolio of their batch, with the quantity and the amount of the
 * custody evidence. Withdraws the events of orders that are no longer settled. An order whose event is recorded already
 * changes nothing. Records nothing if the portfolio does not exist, and no order that names no symbol.
 */
export async function recordSettledOrders(
  em: Em,
  {
    workspaceUid,
    environment,
    portfolioUid,
  }: Pick<OrderBatch, 'workspaceUid' | 'environment' | 'portfolioUid'>,
  orders: readonly OrderSettlement[],
  now: Date,
): Promise<void> {
  if (orders.length === 0) return;
  const settled = orders.map(({ order, quantity, amountMinor, movements }) => ({
    order_uid: order.uid,
    event_uid: newUid(prefixes.portfolioEvent), // used only if the event is new
    quantity: formatDecimal(quantity),
    amount_minor: amountMinor.toString(),
    settled_on:
      movements
        .map(({ from }) => from.settlementDate)
        .toSorted()
        .at(-1) ?? order.settlementDate,
  }));
  await sql`
    select record_settled_order(o.order_uid, o.event_uid, o.quantity, o.amount_minor, o.settled_on,
      ${now.toISOString()}::timestamptz)
    from jsonb_to_recordset(${JSON.stringify(settled)}::jsonb) o (order_uid text, event_uid text, quantity numeric,
      amount_minor bigint, settled_on date)
    where exists (select from portfolio p
      where p.workspace_uid = ${workspaceUid} and p.environment = ${environment} and p.key = ${portfolioUid})
  `.execute(em.getKysely());
}
