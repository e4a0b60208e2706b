import { sql } from 'kysely';
import type { Em, Tenant } from '#lib/database/base.ts';
import { countUnbooked } from './settled-order.query.ts';

/** The numbers of settled orders: `booked` orders became new events, and `unbooked` orders have no event. */
export type SettledOrderCounts = { booked: number; unbooked: number };

/**
 * Records settlements that were made before their portfolios existed, as events of these portfolios. The caller holds
 * the lock of the portfolios. A settlement that is already an event is skipped.
 */
export async function bookSettledOrders(
  em: Em,
  place: Tenant,
  keys: readonly string[],
  now: Date,
): Promise<SettledOrderCounts> {
  const { rows } = await sql<{ booked: number }>`
    select coalesce(sum(book_settled_orders(k.key, null, ${now.toISOString()}::timestamptz)), 0)::integer as booked
    from (
      select distinct s.portfolio_key as key from order_settlement s
      where s.workspace_uid = ${place.workspace} and s.environment = ${place.environment}
        and s.portfolio_key = any(${[...keys]}::text[])
      order by 1
    ) k
  `.execute(em.getKysely());
  return { booked: rows[0]!.booked, unbooked: await countUnbooked(em, place, keys) };
}
