import Type, { type Static } from 'typebox';
import { minorDigits } from '#lib/core/money.ts';
import { Closed, IsoDate, Line, Nullable } from '#lib/core/schema.ts';
import type { PricedOrder } from './controls.ts';
import { DECIMAL_PATTERN, formatDecimal, parseDecimal } from '#lib/core/decimal.ts';
import { isIsin } from './instrument.ts';
import type { EvidenceFault } from '../evidence/evidence-fault.ts';
import { orderHash, orderTypes, sides, timesInForce } from './order.ts';

export const Word = (description: string, example: string) =>
  Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$', description, examples: [example] });

export const Decimal = (description: string, example: string) =>
  Type.String({ pattern: DECIMAL_PATTERN, description, examples: [example] });

export const InstrumentSchema = Closed(
  {
    isin: Type.Optional(
      Type.String({
        pattern: '^[A-Z]{2}[A-Z0-9]{9}\\d$',
        description: 'The ISIN, ISO 6166.',
        examples: ['US0378331005'],
      }),
    ),
    figi: Type.Optional(
      Type.String({ pattern: '^[A-Z0-9]{12}$', description: 'The FIGI.', examples: ['BBG000B9XRY4'] }),
    ),
    symbol: Type.Optional(Line(40, 'The symbol on its market.', 'AAPL')),
  },
  {
    description: 'A security, named by at least one identifier.',
    minProperties: 1,
    examples: [{ isin: 'US0378331005' }],
  },
);

const OrderSchema = Closed({
  instrument: InstrumentSchema,
  side: Type.Enum([...sides]),
  quantity: Decimal('The quantity, above 0.', '1500'),
  order_type: Type.Enum([...orderTypes]),
  limit_price: Type.Optional(
    Nullable(
      Decimal('The limit price. Required for a limit order.', '190.5'),
      'The limit price. Required for a limit order.',
    ),
  ),
  reference_price: Type.Optional(
    Nullable(
      Decimal('The price at which the controls value a market order.', '190'),
      'The price at which the controls value a market order.',
    ),
  ),
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  account_reference: Line(64, 'The account at the custodian.', 'ACC-4821'),
  time_in_force: Type.Enum([...timesInForce]),
  settlement_date: IsoDate,
});

/** The largest number of orders in a batch. One custody observation must be able to list all orders of a batch. */
export const ORDERS_MAX = 2_000;

/** A file of orders, as the operator imports it. */
export const BatchFile = Closed({
  batch_reference: Word('The reference of the batch in its source system.', 'EQ-2026-11-20-1'),
  portfolio_uid: Word('The portfolio of the batch.', 'prt_global_equity'),
  orders: Type.Array(OrderSchema, { minItems: 1, maxItems: ORDERS_MAX }),
});
export type BatchFile = Static<typeof BatchFile>;

export type ReadOrder = PricedOrder & { order_hash: string };
export type ReadOrders = { ok: true; orders: ReadOrder[] } | { ok: false; faults: EvidenceFault[] };

/**
 * Reads the orders of a file that matches the schema. Returns every fault, or each order in normal form with
 * its hash.
 */
export function readOrders(offered: BatchFile['orders']): ReadOrders {
  const faults: EvidenceFault[] = [];
  const orders = offered.map((order, at): ReadOrder => {
    const { isin } = order.instrument;
    const price = order.limit_price ?? null;
    const add = (name: string, code: string, message: string) =>
      faults.push({ pointer: `/orders/${at}/${name}`, code, message });
    if (minorDigits(order.currency) === undefined) {
      add('currency', 'invalid_currency', 'must be an active ISO 4217 currency');
    }
    if (!isUsualDate(order.settlement_date)) add('settlement_date', 'invalid_date', USUAL_DATE);
    if (parseDecimal(order.quantity) === 0n) add('quantity', 'invalid_quantity', 'must be above 0');
    if (isin !== undefined && !isIsin(isin))
      add('instrument/isin', 'invalid_isin', 'must have a valid check digit');
    if ((order.order_type === 'limit') !== (price !== null && parseDecimal(price) !== 0n)) {
      add(
        'limit_price',
        'invalid_limit_price',
        'must be present and above 0 for a limit order, and absent for any other order',
      );
    }
    const material = {
      instrument: order.instrument,
      side: order.side,
      quantity: shortest(order.quantity),
      order_type: order.order_type,
      limit_price: price === null ? null : shortest(price),
      currency: order.currency,
      account_reference: order.account_reference,
      time_in_force: order.time_in_force,
      settlement_date: order.settlement_date,
    };
    const reference = order.reference_price ?? null;
    return {
      ...material,
      reference_price: reference === null ? null : shortest(reference),
      order_hash: orderHash(material),
    };
  });
  const seen = new Set<string>();
  orders.forEach(({ order_hash }, at) => {
    const message = 'must differ from every other order in at least one field besides reference_price';
    if (seen.has(order_hash)) faults.push({ pointer: `/orders/${at}`, code: 'order_repeated', message });
    seen.add(order_hash);
  });
  return faults.length ? { ok: false, faults } : { ok: true, orders };
}

export const USUAL_DATE = 'must be in the years 1900 to 2200';

/** Whether a date is plausible as a settlement date: 1900-01-01 to 2200-12-31. */
export function isUsualDate(date: string): boolean {
  return date >= '1900-01-01' && date <= '2200-12-31';
}

function shortest(text: string): string {
  return formatDecimal(parseDecimal(text)!);
}
