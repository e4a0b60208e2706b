import { isSameAccount, isSameInstrument } from '../batch/instrument.ts';
import type { ObservedLine, OrderFacts } from './settlement-facts.ts';

export const pairingStates = ['paired', 'unpaired', 'ambiguous'] as const;
export type PairingState = (typeof pairingStates)[number];

export type Pairing = { level1: PairingState; keys: readonly string[]; order: OrderFacts | null };

const BY_HASH = ['order_hash'];
const BY_IDENTITY = ['instrument', 'side', 'account'];

/**
 * Finds the order of a line of a custody observation. If the line states an order hash, the hash identifies the order.
 * Otherwise, instrument, side and account identify it. A line that fits several orders is ambiguous. There is no
 * tie-break, because a guess could settle the wrong order.
 */
export function pairLine(
  line: ObservedLine,
  account: string | null,
  orders: readonly OrderFacts[],
  byHash: ReadonlyMap<string, OrderFacts> = ordersByHash(orders),
): Pairing {
  if (line.orderHash !== null) {
    const order = byHash.get(line.orderHash) ?? null;
    return { level1: order ? 'paired' : 'unpaired', keys: BY_HASH, order };
  }
  const { instrument, side } = line;
  if (!instrument || !side || account === null) return { level1: 'unpaired', keys: [], order: null };
  const fitting = orders.filter(
    (order) =>
      order.side === side &&
      isSameInstrument(order.instrument, instrument) &&
      isSameAccount(order.account, account),
  );
  const level1 = fitting.length === 1 ? 'paired' : fitting.length === 0 ? 'unpaired' : 'ambiguous';
  return { level1, keys: BY_IDENTITY, order: fitting.length === 1 ? fitting[0]! : null };
}

export function ordersByHash(orders: readonly OrderFacts[]): Map<string, OrderFacts> {
  return new Map(orders.map((order) => [order.hash, order]));
}

export const identityMismatches = [
  'instrument_mismatch',
  'side_mismatch',
  'account_mismatch',
  'currency_mismatch',
] as const;
export type IdentityMismatch = (typeof identityMismatches)[number];

/** Returns the fields in which a paired line contradicts its order. Such a line settles nothing. */
export function mismatchesOf(
  line: ObservedLine,
  account: string | null,
  order: OrderFacts,
): IdentityMismatch[] {
  const differs: Record<IdentityMismatch, boolean> = {
    instrument_mismatch: line.instrument !== null && !isSameInstrument(order.instrument, line.instrument),
    side_mismatch: line.side !== null && line.side !== order.side,
    account_mismatch: account !== null && !isSameAccount(order.account, account),
    currency_mismatch: line.currency !== order.currency,
  };
  return identityMismatches.filter((kind) => differs[kind]);
}
