import Type, { type TSchema } from 'typebox';
import { Closed, Day, Decimal, Nullable } from '#lib/core/schema.ts';
import { ORDERS_MAX } from './order-file.ts';

/** The parts of the schema of an order file that depend on the run that proposes the orders. */
type Varying<Symbol extends TSchema, Side extends TSchema> = {
  symbol: Symbol;
  side: Side;
  quantity: string;
  /** An example of a batch reference, and of the portfolio in it. */
  batch: string;
  portfolio: string;
  /** The description of the orders, and the condition under which there is no file. */
  orders: string;
  none: string;
};

/** Returns the schema of a file for `assay batch import`, as `orderFile` makes it. */
export function OrderFileSchema<Symbol extends TSchema, Side extends TSchema>({
  symbol,
  side,
  quantity,
  batch,
  portfolio,
  orders,
  none,
}: Varying<Symbol, Side>) {
  const key = Type.String({ description: 'The key of the portfolio.', examples: [portfolio] });
  const order = Closed({
    instrument: Closed({ symbol }, { description: 'The instrument.' }),
    side,
    quantity: Decimal(quantity, '40'),
    order_type: Type.Literal('market', { description: 'Always `market`.' }),
    reference_price: Decimal('The close at which the shares are valued.', '38.02'),
    currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code.', examples: ['USD'] }),
    account_reference: key,
    time_in_force: Type.Literal('day', { description: 'Always `day`.' }),
    settlement_date: Day('The second weekday after `as_of`.'),
  });
  return Nullable(
    Closed({
      batch_reference: Type.String({ description: 'The reference of the batch.', examples: [batch] }),
      portfolio_uid: key,
      orders: Type.Array(order, { maxItems: ORDERS_MAX, description: orders }),
    }),
    `The proposed orders, as a file for \`assay batch import\`; null ${none}. The run itself places no orders.`,
  );
}
