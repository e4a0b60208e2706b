import { compareText } from '#lib/core/compare-text.ts';
import { formatDecimal } from '#lib/core/decimal.ts';
import type { HarvestSale } from './harvest-proposal.ts';

/** The largest number of orders in a file for order batches. */
export const HARVEST_ORDERS_MAX = 2_000;

/** A file that `assay batch import` reads. Its governance begins there: nothing here places an order. */
export type HarvestOrders = {
  batch_reference: string;
  portfolio_uid: string;
  orders: {
    instrument: { symbol: string };
    side: 'sell';
    quantity: string;
    order_type: 'market';
    reference_price: string;
    currency: string;
    account_reference: string;
    time_in_force: 'day';
    settlement_date: string;
  }[];
};

export type HarvestOrdersInput = {
  batchReference: string;
  portfolio: string;
  accountReference: string;
  currency: string;
  settlementDate: string;
  /** The price of each symbol as decimal text of at most 8 decimals. */
  prices: ReadonlyMap<string, { price: string }>;
};

/**
 * Returns the sales as orders, one for each symbol in code-unit order: two lots of a symbol are one order, and the
 * lots are named in the proposal. Throws a `RangeError` for a symbol without a price and above 2,000 symbols. Returns
 * null where nothing is sold, as a file has at least one order.
 */
export function harvestOrders(
  sales: readonly Pick<HarvestSale, 'symbol' | 'quantity'>[],
  input: HarvestOrdersInput,
): HarvestOrders | null {
  const shares = new Map<string, bigint>();
  for (const { symbol, quantity } of sales) shares.set(symbol, (shares.get(symbol) ?? 0n) + quantity);
  if (shares.size === 0) return null;
  if (shares.size > HARVEST_ORDERS_MAX)
    throw new RangeError(`${shares.size} orders; at most 2000 fit a file`);
  return {
    batch_reference: input.batchReference,
    portfolio_uid: input.portfolio,
    orders: [...shares]
      .toSorted(([a], [b]) => compareText(a, b))
      .map(([symbol, quantity]) => {
        const price = input.prices.get(symbol);
        if (!price) throw new RangeError(`${symbol} has no price`);
        return {
          instrument: { symbol },
          side: 'sell',
          quantity: formatDecimal(quantity),
          order_type: 'market',
          reference_price: price.price,
          currency: input.currency,
          account_reference: input.accountReference,
          time_in_force: 'day',
          settlement_date: input.settlementDate,
        };
      }),
  };
}
