import Type from 'typebox';
import { Closed } from '#lib/core/schema.ts';
import {
  bySymbol,
  Choice,
  Count,
  Formula,
  OrNull,
  Quantity,
  SignalName,
  SYMBOLS_MAX,
} from './strategy-members.schema.ts';

export const weightSchemes = [
  'equal',
  'fixed',
  'rank',
  'signal',
  'inverse_volatility',
  'minimum_variance',
  'risk_budget',
  'hrp',
  'market_cap',
] as const;

export const Signal = Closed(
  {
    feature: OrNull(
      Type.String({ pattern: '^[a-z][a-z0-9_.-]{0,99}$', examples: ['momentum_12_1'] }),
      'Key of a feature of the workspace. Default: null, for an expression.',
    ),
    version: OrNull(
      Type.Integer({ minimum: 1, maximum: 1_000_000, examples: [1] }),
      'Version of the feature. Required with `feature`. Default: null, for an expression.',
    ),
    expression: OrNull(
      Formula('An expression.', 'return(adj_close, $lookback)'),
      'Feature expression over `open`, `high`, `low`, `close`, `adj_close`, `volume` and `dollar_volume`. Periods are sessions in which the symbol was observed. `$name` stands for the parameter `name`. Only ratios of `adj_close` have meaning: it is a total return index that begins at the first close. Default: null, for a feature.',
    ),
  },
  {
    title: 'StrategySignal',
    description: 'A figure for each symbol and session: a feature or an expression.',
  },
);

export const Signals = Type.Record(Type.String({ pattern: '^[a-z][a-z0-9_]{0,39}$' }), Signal, {
  maxProperties: 50,
  default: {},
  description: 'The signals by name, at most 50. Default: none.',
});

export const Selection = Closed(
  {
    by: OrNull(SignalName, 'Signal that ranks the symbols. `top` requires it. Default: null.'),
    order: Choice(
      ['desc', 'asc'],
      'The order of the ranks. `desc`: the largest value has rank 1. `asc`: the smallest value has rank 1. Default: `desc`.',
    ),
    top: OrNull(
      Type.Integer({ minimum: 1, maximum: SYMBOLS_MAX, examples: [20] }),
      'Number of symbols to hold, 1 to 2,000. Default: null, which means all symbols that meet `where`.',
    ),
    keep_until_rank: OrNull(
      Type.Integer({ minimum: 1, maximum: SYMBOLS_MAX, examples: [30] }),
      'Largest rank at which a held symbol stays selected, at least `top`. Default: null, which means `top`.',
    ),
    where: OrNull(
      Formula('A condition.', 'momentum > 0 and volatility < 0.05'),
      'Condition over the signals. A symbol without a needed value is left out. Default: null, which means no condition.',
    ),
    minimum: Count(
      'Minimum number of selected symbols, 1 to 2,000. With fewer, the strategy holds cash. Default: 1.',
      {
        minimum: 1,
        maximum: SYMBOLS_MAX,
        value: 1,
      },
    ),
  },
  { default: {}, description: 'The symbols that are held. Default: the whole universe.' },
);

const Construct = Closed(
  {
    estimator: Choice(
      ['ledoit_wolf', 'sample', 'ewma'],
      'Estimator of the covariance matrix of the returns. Default: `ledoit_wolf`.',
    ),
    window: Count('Number of sessions of past returns that the estimate uses, 2 to 2,520. Default: 252.', {
      minimum: 2,
      maximum: 2_520,
      value: 252,
    }),
    half_life: Quantity('Half-life of the weights of `ewma`, in sessions, 1 to 2,520. Default: 63.', {
      minimum: 1,
      maximum: 2_520,
      value: 63,
    }),
    budget: bySymbol(
      Type.Number({ minimum: 0, maximum: 1e6, description: 'Share of the risk.', examples: [1] }),
      'Risk budgets of `risk_budget` by symbol, which are divided by their sum. Default: equal budgets.',
    ),
  },
  {
    default: {},
    description: 'Settings of the risk estimate, and the risk budgets, for the schemes that use risk.',
  },
);

export const Weighting = Closed(
  {
    scheme: Type.Enum([...weightSchemes], {
      description:
        'The weighting scheme. `equal`: equal weights. `fixed`: the given weights. `rank`: in proportion to the reversed rank. `signal`: in proportion to a signal. `market_cap`: in proportion to a signal with the market capitalisation. `inverse_volatility`, `minimum_variance`, `risk_budget` (equal budgets are risk parity) and `hrp` (hierarchical risk parity) use past returns.',
      examples: ['equal'],
    }),
    by: OrNull(
      SignalName,
      'Signal of the schemes `signal` and `market_cap`. Default: null, which means the signal of `select.by`.',
    ),
    fixed: bySymbol(
      Type.Number({
        minimum: -10,
        maximum: 10,
        description: 'Share of the value, a fraction.',
        examples: [0.6],
      }),
      'Weights of the scheme `fixed` by symbol. They are used as given. Default: none.',
    ),
    gross: Quantity(
      'Sum of the weights of the long positions, a fraction of the value, 0 to 10. The short positions have the same sum. Default: 1.',
      { minimum: 0, maximum: 10, value: 1 },
    ),
    short: Closed(
      {
        bottom: Count(
          'Number of symbols to sell short: those with the lowest ranks, 0 to 2,000. Default: 0.',
          {
            minimum: 0,
            maximum: SYMBOLS_MAX,
            value: 0,
          },
        ),
      },
      { default: {}, description: 'Short positions.' },
    ),
    construct: Construct,
  },
  { description: 'The weights of the selected symbols.' },
);

export const GroupMaxima = Closed(
  {
    sector: OrNull(
      Type.Number({ minimum: 0, maximum: 10, examples: [0.3] }),
      'Largest sum of the long weights of a sector, a fraction. The same limit applies to its short weights. Default: null, which means no limit.',
    ),
    theme: OrNull(
      Type.Number({ minimum: 0, maximum: 10, examples: [0.3] }),
      'Largest sum of the long weights of a theme, a fraction. The same limit applies to its short weights. A symbol belongs to the theme to which it has the largest exposure. Default: null, which means no limit.',
    ),
  },
  { default: {}, description: 'Limits of groups. A symbol without a group has no limit.' },
);

export const Constraints = Closed(
  {
    weight_max: Quantity(
      'Largest absolute weight of a symbol, a fraction of the value, 0 to 10. The excess goes to the other selected symbols in proportion to their weights, otherwise to cash. Default: 10.',
      { minimum: 0, maximum: 10, value: 10 },
    ),
    group_max: GroupMaxima,
    turnover_max: OrNull(
      Type.Number({ minimum: 0, maximum: 20, examples: [1] }),
      'Largest sum of the absolute changes of the weights at one decision, a fraction. All changes are scaled down together. Default: null, which means no limit.',
    ),
    cash_min: Quantity('Share of the value that stays in cash, 0 to 1. Default: 0.', {
      minimum: 0,
      maximum: 1,
      value: 0,
    }),
  },
  { default: {}, description: 'Limits of the weights.' },
);
