import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Day, Decimal, Closed, Instant, InstantOf, Line, Minor, Nullable, Uid } from '#lib/core/schema.ts';
import { Key, PortfolioTermsSchema } from '#lib/investment/portfolios/portfolio-terms.schema.ts';
import { UNBOOKED_MAX, unbookedReasons } from '#lib/investment/portfolios/settled-order.query.ts';

const { base_currency, account_kind, lot_relief, tax_regime, tax_entity, wash_group } =
  PortfolioTermsSchema.properties;

export const Currency = base_currency;

/** An amount that may be below 0. */
export const Signed = (description: string) => Minor(description, Number.MIN_SAFE_INTEGER);

const terms = {
  uid: Uid(prefixes.portfolio, 'The portfolio.'),
  portfolio: Key('The key of the portfolio: the `portfolio_uid` of its order batches.', 'growth'),
  name: Line(200, 'The name of the portfolio.', 'Growth'),
  base_currency,
  account_kind,
  lot_relief,
  tax_regime,
  tax_entity,
  wash_group,
  benchmark: Nullable(
    Key('A symbol or the key of a portfolio.', 'SPY'),
    'The benchmark; null if none is set.',
  ),
  opened_on: Day('The day on which the portfolio was opened.'),
  created_at: Instant,
};

export const PortfolioSummary = Closed(terms, {
  title: 'PortfolioSummary',
  description: 'A portfolio and its terms.',
});

const Position = Closed(
  {
    symbol: Key('The symbol.', 'MSFT'),
    currency: Currency,
    quantity: Decimal('Shares held, with up to 8 decimals.', '120'),
    basis_minor: Nullable(
      Minor('Tax basis of the open lots, in minor units.'),
      'Tax basis in minor units; null if the tax regime pools the shares of several portfolios.',
    ),
    price: Nullable(
      Decimal('The last close.', '210.33'),
      'The last close; null if no close is known, or if the last close is older than 7 days.',
    ),
    price_on: Nullable(
      Day('The day of the last close.'),
      'The day of the last close; null if none is known.',
    ),
    value_minor: Nullable(
      Minor('Quantity times price, in minor units.'),
      'Market value; null without a price.',
    ),
    gain_minor: Nullable(
      Signed('Value minus basis, in minor units.'),
      'Unrealised gain; null without a price.',
    ),
  },
  { title: 'Position', description: 'The shares of a symbol that a portfolio holds.' },
);

const Cash = Closed(
  { currency: Currency, amount_minor: Signed('Cash in minor units. Below 0 means overdrawn.') },
  { title: 'PortfolioCash', description: 'Cash in one currency.' },
);

const Total = Closed(
  {
    currency: Currency,
    positions_minor: Minor('Value of the positions with a price.'),
    cash_minor: Signed('Cash.'),
    value_minor: Signed('Positions plus cash.'),
    basis_minor: Minor('Tax basis of all positions.'),
  },
  {
    title: 'PortfolioTotal',
    description: 'Sums of one currency, in minor units. Currencies are never converted.',
  },
);

const Break = Closed(
  {
    as_of: Day('The day of the statement.'),
    symbol: Nullable(Key('The symbol.', 'MSFT'), 'The symbol of a position; null for cash.'),
    currency: Nullable(Currency, 'The currency of cash; null for a position.'),
    reported: Type.String({
      description: 'Shares, or minor units of cash, that the statement reports.',
      examples: ['120'],
    }),
    derived: Type.String({
      description: 'Shares, or minor units of cash, that the events add up to.',
      examples: ['118'],
    }),
    difference: Type.String({ description: '`reported` minus `derived`.', examples: ['2'] }),
  },
  { title: 'PortfolioBreak', description: 'A control total that differs from the events.' },
);

const UnbookedOrder = Closed(
  {
    order: Uid(prefixes.batchOrder, 'The order of an order batch.'),
    reason: Type.Enum([...unbookedReasons], {
      description:
        'Why the order was not booked as an event. `no_symbol`: the order names no symbol. `before_opening`: the order was traded before `opened_on`, so the ' +
        'opening positions contain it.',
    }),
    side: Type.Enum(['buy', 'sell'], { description: 'The side of the order.' }),
    symbol: Nullable(Key('The symbol.', 'MSFT'), 'The symbol; null if the order names none.'),
    quantity: Decimal('Settled shares.', '100'),
    currency: Currency,
    amount_minor: Signed('Settled amount in minor units.'),
    traded_on: Day('The day of the release of the batch, or of the settlement if that is earlier.'),
    settled_on: Nullable(Day('The day of the settlement.'), 'The day of the settlement; null if unknown.'),
  },
  {
    title: 'UnbookedOrder',
    description:
      'An order that has settled according to custody evidence, but is not an event of the portfolio.',
  },
);

/** Positions or lots without a value because of the currency of their closes. */
export const OtherCurrencies = Type.Array(
  Closed(
    {
      symbol: Key('The symbol.', 'SAP'),
      currency: Currency,
      price_currency: { ...Currency, description: 'The currency of its closes.' },
    },
    { title: 'OtherCurrency', description: 'A symbol whose closes are in another currency than its lots.' },
  ),
  {
    description:
      'Symbols whose closes are in another currency than their lots. They have no value, because amounts are never converted.',
  },
);

export const PortfolioDetail = Closed(
  {
    ...terms,
    terms_known_at: InstantOf(
      'When the terms of the portfolio became known. The first recorded terms also apply to earlier days.',
    ),
    as_of: Day('The day of the answer. Later trades, and data that became known later, are left out.'),
    positions: Type.Array(Position, { description: 'The positions, ordered by symbol.' }),
    cash: Type.Array(Cash, { description: 'Cash by currency.' }),
    totals: Type.Array(Total, { description: 'Totals by currency.' }),
    breaks: Type.Array(Break, {
      description:
        'Differences from the newest control totals up to `as_of`. Empty if there are no differences, or no control totals.',
    }),
    unbooked_orders: Type.Array(UnbookedOrder, {
      maxItems: UNBOOKED_MAX,
      description: `Settled orders that the positions do not contain, latest first, at most ${UNBOOKED_MAX}.`,
    }),
    coverage: Closed(
      {
        positions: Type.Integer({ minimum: 0, description: 'Number of positions.' }),
        priced: Type.Integer({
          minimum: 0,
          description: 'Number of positions with a price that is at most 7 days old.',
        }),
        stale: Type.Array(Type.String(), { description: 'Symbols whose last close is older than 7 days.' }),
        unpriced: Type.Array(Type.String(), { description: 'Symbols without a close.' }),
        other_currency: OtherCurrencies,
        assumed_currency: Type.Array(Type.String(), {
          description:
            'Symbols whose closes are assumed to be in the base currency, because no instrument states their currency.',
        }),
      },
      { description: 'The positions with a value, and the reasons why the others have none.' },
    ),
  },
  { title: 'Portfolio', description: 'A portfolio with positions, cash and value.' },
);
