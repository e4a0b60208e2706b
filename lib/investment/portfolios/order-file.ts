import { secondWeekdayAfter } from './settlement-date.ts';

/** Maximum number of orders in a file for order batches. */
export const ORDERS_MAX = 2_000;

/**
 * A file that `assay batch import` reads. The governed handling of the orders begins with this import: nothing here
 * places an order.
 */
export type OrderFile<Side extends 'buy' | 'sell'> = {
  batch_reference: string;
  portfolio_uid: string;
  orders: {
    instrument: { symbol: string };
    side: Side;
    quantity: string;
    order_type: 'market';
    reference_price: string;
    currency: string;
    account_reference: string;
    time_in_force: 'day';
    settlement_date: string;
  }[];
};

/** An order of a portfolio. Quantity and price are decimal text of at most 8 decimals. */
export type ProposedOrder<Side> = { symbol: string; side: Side; quantity: string; price: string };

/**
 * Returns the orders of a portfolio at the end of a day as a file. `purpose` is the first word of the batch reference.
 * Returns null if there are no orders, because a file has at least one order.
 */
export function orderFile<Side extends 'buy' | 'sell'>(
  orders: readonly ProposedOrder<Side>[],
  {
    purpose,
    portfolio,
    asOf,
    currency,
  }: { purpose: string; portfolio: string; asOf: string; currency: string },
): OrderFile<Side> | null {
  if (orders.length === 0) return null;
  return {
    batch_reference: `${purpose}-${portfolio}-${asOf}`,
    portfolio_uid: portfolio,
    orders: orders.map(({ symbol, side, quantity, price }) => ({
      instrument: { symbol },
      side,
      quantity,
      order_type: 'market',
      reference_price: price,
      currency,
      account_reference: portfolio,
      time_in_force: 'day',
      settlement_date: secondWeekdayAfter(asOf),
    })),
  };
}
