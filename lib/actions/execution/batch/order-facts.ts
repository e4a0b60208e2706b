import { parseDecimal } from '#lib/core/decimal.ts';
import type { Instrument } from './instrument.ts';
import type { PricedOrder } from './controls.ts';
import type { OrderType, Side, TimeInForce } from './order.ts';
import type { OrderFacts } from '../reconciliation/settlement-facts.ts';

/** An order in its stored form. */
export type KeptOrder = {
  uid: string;
  orderHash: string;
  instrument: Instrument;
  side: Side;
  quantity: string;
  orderType: OrderType;
  limitPrice?: string | null | undefined;
  referencePrice?: string | null | undefined;
  currency: string;
  accountReference: string;
  timeInForce: TimeInForce;
  settlementDate: string;
};

/** Returns those facts of an order that reconciliation needs. */
export function orderFacts(order: KeptOrder): OrderFacts {
  const { uid, orderHash: hash, instrument, side, currency, settlementDate } = order;
  const quantity = parseDecimal(order.quantity)!;
  return { uid, hash, instrument, side, quantity, currency, settlementDate, account: order.accountReference };
}

/** Returns those fields of an order that the controls need, under their names on the wire. */
export function pricedOrder(order: KeptOrder): PricedOrder {
  return {
    instrument: order.instrument,
    side: order.side,
    quantity: order.quantity,
    order_type: order.orderType,
    limit_price: order.limitPrice ?? null,
    reference_price: order.referencePrice ?? null,
    currency: order.currency,
    account_reference: order.accountReference,
    time_in_force: order.timeInForce,
    settlement_date: order.settlementDate,
  };
}
