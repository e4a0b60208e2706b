import { canonicalHash } from '#lib/core/seal.ts';
import { weekendsOnly } from '#lib/actions/execution/batch/calendar.ts';
import { parseDecimal } from '#lib/core/decimal.ts';
import { reconcile, type Reconciliation } from '#lib/actions/execution/reconciliation/reconcile.ts';
import type {
  ConfirmedLine,
  ObservationFacts,
  ObservedLine,
  OrderFacts,
  SettlementFacts,
} from '#lib/actions/execution/reconciliation/settlement-facts.ts';

export const DAY = '2026-11-20';

export function orderOf(uid: string, more: Partial<OrderFacts> = {}): OrderFacts {
  return {
    uid,
    hash: `sha256:${canonicalHash(uid)}`,
    instrument: { isin: 'US0378331005' },
    side: 'buy',
    quantity: parseDecimal('1500')!,
    currency: 'USD',
    account: 'ACC-4821',
    settlementDate: DAY,
    ...more,
  };
}

export function confirmed(
  order: OrderFacts,
  amountMinor: bigint,
  more: Partial<ConfirmedLine> = {},
): ConfirmedLine {
  return { orderHash: order.hash, quantity: order.quantity, currency: order.currency, amountMinor, ...more };
}

export function lineOf(
  order: OrderFacts,
  amountMinor: bigint,
  more: Partial<ObservedLine> = {},
): ObservedLine {
  const { hash, instrument, side, quantity, currency } = order;
  return { reference: '1', orderHash: hash, instrument, side, quantity, currency, amountMinor, ...more };
}

export function observed(
  reference: string,
  lines: readonly ObservedLine[],
  more: Partial<ObservationFacts> = {},
): ObservationFacts {
  return {
    reference,
    custodian: 'bny_main',
    sourceSystem: 'custody_feed',
    sourceReference: `document of ${reference}`,
    sourceHash: `sha256:${canonicalHash(reference)}`,
    account: 'ACC-4821',
    observedAt: `${DAY}T17:00:00.000Z`,
    settlementDate: DAY,
    status: 'settled',
    contentHash: `content of ${reference}`,
    isEarly: false,
    lines,
    countedElsewhere: [],
    ...more,
  };
}

export function factsOf(more: Partial<SettlementFacts> = {}): SettlementFacts {
  return {
    isReleased: true,
    controlsPassed: true,
    orders: [],
    confirmations: [],
    observations: [],
    conflicts: [],
    tolerance: [],
    calendar: weekendsOnly,
    today: DAY,
    wasClosed: false,
    decided: [],
    ...more,
  };
}

/**
 * Returns the reconciliation after the observations were applied one after the other, as the service does.
 */
export function arriving(facts: SettlementFacts, order: readonly ObservationFacts[]): Reconciliation {
  let wasClosed = facts.wasClosed;
  let result = reconcile({ ...facts, wasClosed, observations: [] });
  for (let count = 1; count <= order.length; count += 1) {
    wasClosed ||= result.state === 'closed';
    result = reconcile({ ...facts, wasClosed, observations: order.slice(0, count) });
  }
  return result;
}

/**
 * Returns the part of a reconciliation that must not depend on the order of observations. An exception that
 * records a reopening depends on the order, so it is left out.
 */
export function outcomeOf({ state, totals, orders, confirmation, custody, live }: Reconciliation) {
  return {
    state,
    totals,
    confirmation,
    custody,
    orders: orders.map(({ order, quantity, amountMinor, state: own }) => [
      order.uid,
      quantity,
      amountMinor,
      own,
    ]),
    live: live
      .filter(({ kind }) => kind !== 'post_close_contradiction')
      .map(({ key, fingerprint }) => `${key}=${fingerprint}`)
      .toSorted((a, b) => (a < b ? -1 : 1)),
  };
}
