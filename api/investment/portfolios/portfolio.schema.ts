import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Day, Decimal, Closed, Instant, Line, Minor, Nullable, Uid } from '#lib/core/schema.ts';
import { accountKinds, lotReliefs } from '#lib/investment/portfolios/portfolio-event.ts';
import { taxRegimes } from '#lib/investment/portfolios/portfolio-row.ts';

const Key = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 64, description, examples: [example] });

export const Currency = Type.String({
  pattern: '^[A-Z]{3}$',
  description: 'ISO 4217 code.',
  examples: ['USD'],
});

/** An amount that may be below 0. */
export const Signed = (description: string) => Minor(description, Number.MIN_SAFE_INTEGER);

const terms = {
  uid: Uid(prefixes.portfolio, 'The portfolio.'),
  portfolio: Key('The key of the portfolio: the `portfolio_uid` of its order batches.', 'growth'),
  name: Line(200, 'The name of the portfolio.', 'Growth'),
  base_currency: Currency,
  account_kind: Type.Enum([...accountKinds], {
    description: 'Whether gains of the account are taxed.',
  }),
  lot_relief: Type.Enum([...lotReliefs], {
    description: 'The order in which a sale uses lots, where the sale names none.',
  }),
  tax_regime: Type.Enum(taxRegimes, { description: 'The tax rules of the account.' }),
  tax_entity: Key('The taxpayer. Portfolios of one taxpayer share gains and losses.', 'household'),
  wash_group: Key('Portfolios whose purchases can defer a loss of one another.', 'household'),
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
      'Tax basis in minor units; null if the tax regime pools the shares with those of other portfolios.',
    ),
    price: Nullable(
      Decimal('The last close.', '210.33'),
      'The last close; null if none is known or it is stale.',
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

export const PortfolioDetail = Closed(
  {
    ...terms,
    as_of: Day('The day of the answer. Later trades and later knowledge are left out.'),
    positions: Type.Array(Position, { description: 'By symbol.' }),
    cash: Type.Array(Cash, { description: 'By currency.' }),
    totals: Type.Array(Total, { description: 'By currency.' }),
    breaks: Type.Array(Break, {
      description:
        'Differences to the newest control totals up to `as_of`. Empty if all agree or none are recorded.',
    }),
    coverage: Closed(
      {
        positions: Type.Integer({ minimum: 0, description: 'Number of positions.' }),
        priced: Type.Integer({ minimum: 0, description: 'Positions with a price of at most 7 days.' }),
        stale: Type.Array(Type.String(), { description: 'Symbols whose last close is older than 7 days.' }),
        unpriced: Type.Array(Type.String(), { description: 'Symbols without a close.' }),
      },
      { description: 'How far positions could be valued.' },
    ),
  },
  { title: 'Portfolio', description: 'A portfolio with positions, cash and value.' },
);
