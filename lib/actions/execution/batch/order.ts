import { Frontier, leafHash } from '#lib/audit/merkle.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import type { Instrument } from './instrument.ts';

export const sides = ['buy', 'sell'] as const;
export type Side = (typeof sides)[number];
export const orderTypes = ['market', 'limit'] as const;
export type OrderType = (typeof orderTypes)[number];
export const timesInForce = ['day', 'gtc', 'ioc', 'fok'] as const;
export type TimeInForce = (typeof timesInForce)[number];

/**
 * The binding fields of an order. Orders that differ in any of these fields are different orders. Decimals are
 * in their shortest form.
 */
export type MaterialOrder = {
  instrument: Instrument;
  side: Side;
  quantity: string;
  order_type: OrderType;
  limit_price: string | null;
  currency: string;
  account_reference: string;
  time_in_force: TimeInForce;
  settlement_date: string;
};

export const ENVELOPE_ACTION = 'investment.order.submit';

/** Returns `sha256:` followed by the SHA-256 hash of the RFC 8785 form of the binding fields. */
export function orderHash(order: MaterialOrder): string {
  const { instrument, side, quantity, order_type, limit_price, currency } = order;
  const { account_reference, time_in_force, settlement_date } = order;
  const terms = { instrument, side, quantity, order_type, limit_price, currency };
  return `sha256:${canonicalHash({ ...terms, account_reference, time_in_force, settlement_date })}`;
}

/** Returns the RFC 6962 Merkle root of the order hashes, sorted as texts. A leaf is the 32 bytes of a hash. */
export function batchRoot(orderHashes: readonly string[]): string {
  const tree = new Frontier();
  for (const hash of orderHashes.toSorted((a, b) => (a < b ? -1 : 1))) {
    tree.append(leafHash(Buffer.from(hash.replace('sha256:', ''), 'hex')));
  }
  return `sha256:${tree.root()}`;
}

export type Envelope = {
  workspace: string;
  environment: string;
  portfolio: string;
  reference: string;
  root: string;
  count: number;
};

/**
 * Returns the hash of the canonical action envelope of a batch: the action, its portfolio, and exactly these
 * orders.
 */
export function envelopeHash({
  workspace,
  environment,
  portfolio,
  reference,
  root,
  count,
}: Envelope): string {
  return `sha256:${canonicalHash({
    schema: 'action-envelope/1',
    workspace_uid: workspace,
    environment,
    action: ENVELOPE_ACTION,
    portfolio_uid: portfolio,
    batch_reference: reference,
    material_hash_root: root,
    order_count: count,
  })}`;
}
