import Type from 'typebox';
import { Closed, Minor } from '#lib/core/schema.ts';
import { Choice, Count, OrNull, Quantity } from './strategy-members.schema.ts';

const bps = (description: string, value: number, maximum = 10_000) =>
  Quantity(description, { minimum: 0, maximum, value });

export const Schedule = Closed(
  {
    every: Choice(
      ['month', 'once', 'session', 'week', 'quarter', 'year', 'n_sessions'],
      'How often the strategy makes a decision. The first session of a backtest is always a decision. With `once`, it is the only decision. Default: `month`.',
    ),
    n: Count('Sessions between two decisions of `n_sessions`, 1 to 2,520. Default: 21.', {
      minimum: 1,
      maximum: 2_520,
      value: 21,
    }),
    on: Choice(
      ['last', 'first', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
      'The session of a decision in its period. A weekday requires `every: week` and means the first session on or after that day, or the last session of the week if there is none. `once`, `session` and `n_sessions` ignore this member. Default: `last`.',
    ),
    lag: Count(
      'Sessions between a decision, at the close, and its orders, 0 to 21. 0 requires `execution.same_bar`. Default: 1.',
      { minimum: 0, maximum: 21, value: 1 },
    ),
    band: Quantity(
      'The strategy trades only if a weight differs from its target by more than this fraction of the value, 0 to 1. Default: 0, so every decision trades.',
      { minimum: 0, maximum: 1, value: 0 },
    ),
  },
  { default: {}, description: 'When the strategy makes decisions and trades.' },
);

export const Overlay = Closed(
  {
    volatility_target: Type.Optional(
      Closed(
        {
          annual: Type.Number({
            exclusiveMinimum: 0,
            maximum: 10,
            description: 'Target of the annual volatility, a fraction.',
            examples: [0.1],
          }),
          window: Count(
            'Number of sessions of past returns of the target weights, 2 to 2,520. Default: 63.',
            {
              minimum: 2,
              maximum: 2_520,
              value: 63,
            },
          ),
          leverage_max: Quantity(
            'Largest sum of the absolute weights after scaling, a fraction, 0 to 10. Above 1 it requires `cash.credit_max`. Default: 1.',
            { minimum: 0, maximum: 10, value: 1 },
          ),
        },
        { description: 'Scales all weights by the target divided by the volatility of the past returns.' },
      ),
    ),
    stop: Type.Optional(
      Closed(
        {
          drawdown: Type.Number({
            exclusiveMinimum: 0,
            exclusiveMaximum: 1,
            description: 'Fall from the highest value, a fraction, at which all positions are sold.',
            examples: [0.2],
          }),
          stay_out: Count('Number of sessions without positions after a stop, 1 to 2,520. Default: 21.', {
            minimum: 1,
            maximum: 2_520,
            value: 21,
          }),
        },
        {
          description:
            'Sells everything after a loss. After the pause, the highest value is measured again from the first later session.',
        },
      ),
    ),
  },
  { default: {}, description: 'Changes that apply to all weights together. Default: none.' },
);

export const Execution = Closed(
  {
    price: Choice(['close', 'open'], 'The price at which orders are filled. Default: `close`.'),
    prices: Choice(
      ['automatic', 'quoted', 'total_return'],
      'The prices that the backtest uses. `quoted`: prices as quoted; splits change positions, and dividends are paid in cash. `total_return`: adjusted closes, which contain splits and dividends. `automatic`: `quoted` if the data contain a corporate action of a symbol, otherwise `total_return`. Default: `automatic`.',
    ),
    size_at: Choice(
      ['trade', 'decision'],
      'Whether orders are sized at the price of the trade or of the decision. Default: `trade`.',
    ),
    same_bar: Type.Boolean({
      default: false,
      description:
        'Whether orders may be filled at the close that the decision uses. Such a backtest is optimistic. Default: false.',
    }),
    participation_max: OrNull(
      Type.Number({ exclusiveMinimum: 0, maximum: 1, examples: [0.1] }),
      'Largest share of the volume of a session that an order may trade. Default: null, which means no limit.',
    ),
    whole_shares: Type.Boolean({
      default: false,
      description: 'Whether only whole shares are traded. Default: false.',
    }),
    delisting_loss: Quantity('Share of the last close that is lost when a symbol ends, 0 to 1. Default: 0.', {
      minimum: 0,
      maximum: 1,
      value: 0,
    }),
  },
  { default: {}, description: 'How orders are filled.' },
);

export const Costs = Closed(
  {
    proportional_bps: bps('Commission, basis points of the amount, 0 to 10,000. Default: 10.', 10),
    per_share: Quantity('Commission for each share, in units of the currency, 0 to 1,000. Default: 0.', {
      minimum: 0,
      maximum: 1_000,
      value: 0,
    }),
    minimum: Quantity(
      'Minimum commission of an order, in units of the currency, 0 to 1,000,000. Default: 0.',
      {
        minimum: 0,
        maximum: 1_000_000,
        value: 0,
      },
    ),
    half_spread_bps: bps(
      'Half of the bid-ask spread, basis points of the price, 0 to 10,000. Default: 0.',
      0,
    ),
    impact: Closed(
      {
        kind: Choice(
          ['none', 'square_root'],
          'The kind of market impact. `square_root`: the cost grows with the square root of the share of the volume. Default: `none`.',
        ),
        y: Quantity('Coefficient of the impact, 0 to 10. Default: 0.6.', {
          minimum: 0,
          maximum: 10,
          value: 0.6,
        }),
        window: Count(
          'Number of sessions of past returns that the volatility is estimated from, 2 to 2,520. Default: 21.',
          {
            minimum: 2,
            maximum: 2_520,
            value: 21,
          },
        ),
      },
      { default: {}, description: 'Market impact.' },
    ),
    borrow_bps: bps(
      'Annual fee on short positions, basis points of their value, 0 to 10,000. Default: 50.',
      50,
    ),
    buy_tax_bps: bps('Tax on purchases, basis points of the amount, 0 to 10,000. Default: 0.', 0),
    dividend_withholding_bps: bps('Tax withheld from dividends, basis points, 0 to 10,000. Default: 0.', 0),
  },
  { default: {}, description: 'The costs of orders and positions.' },
);

export const Cash = Closed(
  {
    rate: Type.Union(
      [
        Type.Number({ minimum: -1, maximum: 1, description: 'Annual rate, a fraction.', examples: [0.02] }),
        Type.String({
          minLength: 1,
          maxLength: 100,
          description: 'Key of an economic series in percent a year.',
          examples: ['FEDFUNDS'],
        }),
      ],
      {
        default: 0,
        description:
          'Annual interest on cash: a fraction, or the key of an economic series in percent, as it was known at each session. Default: 0.',
        examples: [0.02],
      },
    ),
    credit_max: Quantity(
      'Largest debt, a fraction of the initial cash, 0 to 10. Default: 0, which scales purchases down to the available cash.',
      { minimum: 0, maximum: 10, value: 0 },
    ),
    initial_minor: Type.Integer({
      ...Minor('Initial cash in minor units of the currency, at least 1. Default: 100,000,000.', 1),
      default: 100_000_000,
    }),
    currency: Type.String({
      pattern: '^[A-Z]{3}$',
      default: 'USD',
      description: 'ISO 4217 currency of the prices. Default: USD.',
      examples: ['USD'],
    }),
  },
  { default: {}, description: 'The cash of the strategy.' },
);
