import Type from 'typebox';
import { Day, Decimal, Closed, Instant, Minor, Nullable } from '#lib/core/schema.ts';
import { Currency, Signed } from './portfolio.schema.ts';

const Term = Type.Enum(['short', 'long'], {
  description:
    'The holding period at `as_of`, or on the day of the sale. A lot is long-term from the day after its first anniversary.',
});

const Sale = Closed(
  {
    on: Day('The trade date of the sale.'),
    quantity: Decimal('Shares sold.', '40'),
    proceeds_minor: Minor('Proceeds after fees.'),
    gain_minor: Signed('Proceeds minus basis.'),
    disallowed_minor: Minor('The part of a loss that wash sales disallow.'),
  },
  {
    title: 'ClosedTaxLot',
    description: 'The sale of the lot, or of a part of the lot. Amounts are in minor units.',
  },
);

/** A row of the tax lots of a portfolio. */
export const TaxLotSchema = Closed(
  {
    lot: Type.String({
      description:
        'The name of the lot. A part with a separate basis after a wash sale ends in `#` and a number. Under a regime with pools: `pool`, or the rule that matched a sale.',
      examples: ['growth-002'],
    }),
    symbol: Type.String({ description: 'The symbol.', examples: ['AAPL'] }),
    instrument_uid: Nullable(
      Type.String({ description: 'The instrument.', examples: ['ins_01K8ZD3V2R6M8Q4T0W5Y7A9C1E'] }),
      'The instrument of the symbol; null if it is not known.',
    ),
    currency: Currency,
    acquired_on: Nullable(
      Day('The trade date of the purchase.'),
      'The trade date of the purchase; null for a pool.',
    ),
    holding_since: Nullable(
      Day('The start of the holding period.'),
      'The start of the holding period, before `acquired_on` if a wash sale added days; null for a pool.',
    ),
    term: Nullable(Term, 'The holding period at `as_of` or on the day of the sale; null for a pool.'),
    long_from: Nullable(
      Day('The first day on which a sale is long-term.'),
      'The first day on which a sale is long-term; null for a sold lot.',
    ),
    quantity: Decimal('Open shares; 0 for a sold lot.', '318'),
    cost_minor: Nullable(
      Minor('The amount paid, with fees.'),
      'The amount paid, with fees; null for a sold lot.',
    ),
    basis_minor: Minor('Tax basis.'),
    wash_added_minor: Nullable(
      Minor('Disallowed losses that were added to the tax basis.'),
      'Disallowed losses that were added to the tax basis; null for a sold lot.',
    ),
    price: Nullable(
      Decimal('The last close.', '115.81'),
      'The last close; null if there is no close from the last 7 days.',
    ),
    price_on: Nullable(
      Day('The day of the close.'),
      'The day of the close; null if there is no close from the last 7 days.',
    ),
    value_minor: Nullable(
      Minor('Quantity times price, rounded half to even.'),
      'Market value; null without a price.',
    ),
    gain_minor: Nullable(Signed('Value minus basis.'), 'Unrealised gain; null without a price.'),
    gain_bps: Nullable(
      Signed('The gain in basis points of the basis.'),
      'The gain in basis points of the basis; null without a price or a basis.',
    ),
    closed: Nullable(Sale, 'The sale of a sold lot; null for an open lot.'),
    known_at: Nullable(Instant, 'When the purchase or sale became known; null for a pool.'),
  },
  { title: 'TaxLot', description: 'A tax lot, open or sold. Amounts are in minor units.' },
);

export const TaxLotTotal = Closed(
  {
    currency: Currency,
    term: Nullable(Term, 'The holding period; null for pools of shares.'),
    lots: Type.Integer({ minimum: 1, description: 'Number of open lots.' }),
    basis_minor: Minor('Tax basis of all open lots.'),
    value_minor: Minor('Value of the lots with a price.'),
    gain_minor: Signed('Unrealised gain of the lots with a price.'),
    unpriced: Type.Integer({ minimum: 0, description: 'Number of lots without a price.' }),
  },
  { title: 'TaxLotTotal', description: 'Sums of one currency and holding period.' },
);
