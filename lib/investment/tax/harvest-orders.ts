import { compareText } from '#lib/core/compare-text.ts';
import { formatDecimal } from '#lib/core/decimal.ts';
import { type OrderFile, orderFile, ORDERS_MAX } from '../portfolios/order-file.ts';
import type { HarvestSale } from './harvest-proposal.ts';

export type HarvestOrdersInput = {
  portfolio: string;
  asOf: string;
  currency: string;
  /** The price of each symbol as decimal text of at most 8 decimals. */
  prices: ReadonlyMap<string, { price: string }>;
};

/**
 * Returns the sales as orders, one for each symbol in code-unit order: two lots of a symbol are one order, and the lots
 * are named in the proposal. Throws a `RangeError` for a symbol without a price, and for more than 2,000 symbols.
 * Returns null if nothing is sold.
 */
export function harvestOrders(
  sales: readonly Pick<HarvestSale, 'symbol' | 'quantity'>[],
  { prices, ...file }: HarvestOrdersInput,
): OrderFile<'sell'> | null {
  const shares = new Map<string, bigint>();
  for (const { symbol, quantity } of sales) shares.set(symbol, (shares.get(symbol) ?? 0n) + quantity);
  if (shares.size > ORDERS_MAX)
    throw new RangeError(`${shares.size} orders exceed the maximum of ${ORDERS_MAX} in a file`);
  const orders = [...shares]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([symbol, quantity]) => {
      const price = prices.get(symbol);
      if (!price) throw new RangeError(`${symbol} has no price`);
      return { symbol, side: 'sell' as const, quantity: formatDecimal(quantity), price: price.price };
    });
  return orderFile(orders, { purpose: 'harvest', ...file });
}
