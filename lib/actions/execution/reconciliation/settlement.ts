import type { ConfirmedLine, ObservationFacts, ObservedLine, OrderFacts } from './settlement-facts.ts';

/** A line that reports a movement, and its observation. */
export type Movement = { line: ObservedLine; from: ObservationFacts };

/**
 * The settlement of an order, as sums over all of its movements. The sums depend neither on the sequence of the
 * movements nor on how the amounts were split.
 */
export type OrderSettlement = {
  order: OrderFacts;
  quantity: bigint;
  amountMinor: bigint;
  movements: readonly Movement[];
  confirmed: { quantity: bigint; amountMinor: bigint };
  /**
   * The expected amount for the settled quantity, and the difference to the observed amount; null if the
   * confirmations do not cover that quantity.
   */
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
 * Returns the expected amount for the settled quantity, and its difference to the observed amount. The expected amount
 * is the same share of the confirmed amount as the settled quantity is of the confirmed quantity. If this share is not
 * a whole number of minor units, both the value rounded down and the value rounded up are accepted: 66.66 and 66.67 for
 * two thirds of 100.00. A settled quantity above the ordered quantity is treated as the ordered quantity. Returns null
 * if nothing has settled or the confirmations do not cover the quantity.
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
