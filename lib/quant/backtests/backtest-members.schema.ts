import Type from 'typebox';
import { Closed, IsoDate, Nullable } from '#lib/core/schema.ts';
import { Amount, Count, Maybe, Share } from '#lib/investment/risk/risk-members.schema.ts';
import { StrategySymbol } from '../strategies/strategy-members.schema.ts';
import { BACKTEST_LIMITS, CAPACITY_SCALES } from './backtest-limits.ts';

const Series = (description: string) =>
  Type.Array(Type.Number(), { maxItems: BACKTEST_LIMITS.sessions, description });

/** The curve of a backtest, one entry for each session. */
export const Curve = Closed(
  {
    date: Type.Array(IsoDate, { maxItems: BACKTEST_LIMITS.sessions, description: 'Dates of the sessions.' }),
    value: Series('Value at the close, in units of the currency.'),
    cash: Series('Cash at the close, in units of the currency.'),
    gross: Series('Sum of the absolute weights at the close.'),
    net: Series('Sum of the weights at the close.'),
  },
  { title: 'BacktestCurve', description: 'The curve. Each list has one entry per session.' },
);

export const Periods = (name: string, example: string, maxItems: number) =>
  Type.Array(
    Closed(
      {
        period: Type.String({ description: `The ${name}.`, examples: [example] }),
        return: Amount(`Return of the ${name}, a fraction.`),
      },
      { description: `A ${name}.` },
    ),
    { maxItems, description: `Return of each ${name}, oldest first.` },
  );

export const Costs = Closed(
  {
    commission: Amount('Commissions.'),
    spread: Amount('Half spreads.'),
    impact: Amount('Market impact.'),
    tax: Amount('Taxes on purchases.'),
    borrow: Amount('Fees of short positions.'),
    withholding: Amount('Taxes withheld from dividends.'),
    total: Amount('All costs.'),
    share_of_gross_return: Maybe(
      'All costs divided by the gain before costs. Null without a gain before costs.',
    ),
  },
  { title: 'BacktestCosts', description: 'Costs over the whole backtest, in units of the currency.' },
);

export const Orders = Closed(
  {
    count: Count('Filled orders.'),
    lapsed: Count('Number of orders that lapsed because no price or volume was observed.'),
    capped: Count('Number of orders that were reduced to the allowed share of the volume.'),
  },
  { title: 'BacktestOrderCounts', description: 'Numbers of orders.' },
);

export const Exposure = Closed(
  {
    gross_mean: Amount('Mean sum of the absolute weights.'),
    net_mean: Amount('Mean sum of the weights.'),
    cash_mean: Amount('Mean share of cash.'),
    positions_mean: Amount('Mean number of positions after the sessions with orders.'),
  },
  { title: 'BacktestExposure', description: 'Average exposure.' },
);

export const Capacity = Nullable(
  Closed(
    {
      points: Type.Array(
        Closed(
          {
            scale: Type.Number({ minimum: 1, description: 'Multiple of the initial cash.', examples: [10] }),
            annual_return: Maybe('Annual return. Null if the value falls to 0.'),
          },
          { description: 'The strategy at one size.' },
        ),
        { maxItems: CAPACITY_SCALES.length, description: 'The strategy at larger sizes.' },
      ),
      gross_annual_return: Maybe('Annual return without any costs. Null if the value falls to 0.'),
      half_scale: Maybe(
        'Multiple of the initial cash at which costs consume half of the annual return before costs. Null if costs consume less than half at all simulated sizes.',
      ),
    },
    { title: 'BacktestCapacity', description: 'How costs grow with the size.' },
  ),
  'How costs grow with the size. Null if the request left it out.',
);

export const Knowledge = Closed(
  {
    assumed_share: Share(
      'Share of the prices whose time of knowledge was assumed, not recorded. Values of features are not counted.',
    ),
    skipped_sessions: Type.Array(IsoDate, {
      maxItems: BACKTEST_LIMITS.sessions,
      description: 'Days left out because fewer than half of the symbols had a price.',
    }),
    warnings: Type.Array(
      Closed(
        {
          code: Type.String({ description: 'Code of the warning.', examples: ['survivorship'] }),
          detail: Type.String({ description: 'The meaning of the warning for this backtest.' }),
          symbols: Type.Array(StrategySymbol, {
            maxItems: 20,
            description: 'Symbols that the warning is about, at most 20.',
          }),
        },
        { description: 'A warning.' },
      ),
      { maxItems: 100, description: 'Warnings. They do not cause a refusal.' },
    ),
  },
  {
    title: 'BacktestKnowledge',
    description: 'When the data became known, and facts that make the result less reliable.',
  },
);

export const Ended = Type.Enum(['last_day', 'bankrupt'], {
  description:
    'How the backtest ended. `bankrupt`: the value fell to 0 or below. From then on, the curve is 0.',
});

export const Turnover = Closed(
  {
    two_way_annual: Amount('Purchases plus sales per year, divided by the mean value.'),
  },
  { title: 'BacktestTurnover', description: 'Turnover.' },
);

export const Variant = Closed(
  {
    annual_return: Maybe('Annual return.'),
    volatility: Maybe('Annual volatility.'),
    sharpe: Maybe('Annual Sharpe ratio.'),
    max_drawdown: Amount('Deepest drawdown, a fraction of 0 or below.'),
    end_value: Amount('Value at the end, in units of the currency.'),
  },
  { title: 'BacktestVariant', description: 'Figures of a variant, in the order of the request.' },
);
