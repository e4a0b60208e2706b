import type { ConfirmedLine, ObservationFacts, ObservedLine, OrderFacts } from './settlement-facts.ts';

/** A line, where it comes from, and that it moved something. */
export type Movement = { line: ObservedLine; from: ObservationFacts };

/** What became of an order, all its movements together. Sums alone, so that neither order nor partition matters. */
export type OrderSettlement = {
  order: OrderFacts;
  quantity: bigint;
  amountMinor: bigint;
  movements: readonly Movement[];
  confirmed: { quantity: bigint; amountMinor: bigint };
  /** What the confirmations let expect for the settled quantity; null where they do not reach that far. */
  amount: { expected: bigint; difference: bigint } | null;
};

export function settleOrder(
  order: OrderFacts,
  movements: readonly Movement[],
  confirmations: readonly ConfirmedLine[],
): OrderSettlement {
  const stated = confirmations.filter(
    ({ orderHash, currency }) => orderHash === order.hash && currency === order.currency,
  );
  const confirmed = {
    quantity: sumOf(stated.map(({ quantity }) => quantity)),
    amountMinor: sumOf(stated.map(({ amountMinor }) => amountMinor)),
  };
  const quantity = sumOf(movements.map(({ line }) => line.quantity));
  const amountMinor = sumOf(movements.map(({ line }) => line.amountMinor));
  return {
    order,
    quantity,
    amountMinor,
    movements,
    confirmed,
    amount: expectedAmount(order.quantity, quantity, amountMinor, confirmed),
  };
}

/**
 * For the whole confirmed quantity the confirmed amount, for a part of it the same part. Where that is no whole number of
 * minor units, both neighbours are right: 66.66 and 66.67 for two thirds of 100.00. For more than was ordered nothing but
 * the confirmed amount of the order is expected.
 */
function expectedAmount(
  ordered: bigint,
  settled: bigint,
  observed: bigint,
  confirmed: { quantity: bigint; amountMinor: bigint },
): { expected: bigint; difference: bigint } | null {
  const quantity = settled < ordered ? settled : ordered;
  if (quantity === 0n || confirmed.quantity === 0n || quantity > confirmed.quantity) return null;
  const low = (confirmed.amountMinor * quantity) / confirmed.quantity;
  const high = low * confirmed.quantity === confirmed.amountMinor * quantity ? low : low + 1n;
  const expected = observed < low ? low : observed > high ? high : observed;
  return { expected, difference: observed - expected };
}

export function sumOf(values: readonly bigint[]): bigint {
  return values.reduce((sum, value) => sum + value, 0n);
}
