import Type, { type Static } from 'typebox';
import { Closed, Day, Minor, Nullable, Sha256Of } from '#lib/core/schema.ts';
import { ParameterValue, PARAMETER_PATTERN } from './parameter.schema.ts';
import { ResolvedStrategy, Strategy } from './strategy.schema.ts';

const ParameterValues = Type.Record(Type.String({ pattern: PARAMETER_PATTERN }), ParameterValue, {
  maxProperties: 50,
  description: 'Values that replace the defaults of the parameters of the strategy, by name.',
});

export const StrategyCheckRequest = Closed(
  {
    strategy: Strategy,
    parameters: Type.Optional(ParameterValues),
    date: Type.Optional(
      Day(
        'Day of the decision, not after `as_of`. The decision is made in the last session on or before this day. Default: the newest day with prices.',
      ),
    ),
    as_of: Type.Optional(Day('Only data known by the end of this day (UTC) is used. Default: today.')),
  },
  { description: 'A strategy, and the day of the decision to explain.' },
);
export type StrategyCheckRequest = Static<typeof StrategyCheckRequest>;

const Symbol = Type.String({ description: 'The symbol.', examples: ['AAPL'] });
const Weight = (description: string) => Type.Number({ description, examples: [0.5] });

export const symbolReasons = [
  'not_published',
  'no_price',
  'where_false',
  'where_unknown',
  'above_most',
  'select_where_false',
  'select_where_unknown',
  'signal_missing',
  'not_selected',
  'no_weight',
  'history_short',
  'no_variance',
] as const;

const DecisionSymbol = Closed(
  {
    symbol: Symbol,
    price: Nullable(Type.Number({ examples: [115.8] }), 'Close of the session; null without a price.'),
    signals: Type.Record(Type.String(), Nullable(Type.Number(), 'The value; null if it is missing.'), {
      description: 'Signals of the symbol by name.',
      examples: [{ momentum: 0.12 }],
    }),
    rank: Nullable(
      Type.Integer({ minimum: 1, examples: [1] }),
      'Rank by the signal of `select.by`, from 1; null without a rank.',
    ),
    weight: Weight('Target weight, a fraction of the value; below 0 it is a short position.'),
    reason: Nullable(
      Type.Enum([...symbolReasons], { examples: ['not_selected'] }),
      'Why the symbol is not held; null if it is held. `not_published`: the version of the universe does not contain the symbol. `no_price`: the session has no price of the symbol. `where_false`, `where_unknown`: the condition of the universe is false or cannot be evaluated. `above_most`: the symbol is not among the `most` largest symbols. `select_where_false`, `select_where_unknown`: the condition of the selection is false or cannot be evaluated. `signal_missing`: the symbol has no value to rank. `not_selected`: the rank is not selected. `no_weight`: the scheme gives no weight. `history_short`: fewer than 80 % of the window have a return. `no_variance`: the returns do not vary, or follow from those of other symbols.',
    ),
  },
  { title: 'StrategyDecisionSymbol', description: 'A symbol in a decision.' },
);

const StrategyTrade = Closed(
  {
    symbol: Symbol,
    side: Type.Enum(['buy', 'sell'], {
      description: 'The side of the order. A short position begins with a sale.',
      examples: ['buy'],
    }),
    quantity: Type.Number({ minimum: 0, description: 'Number of shares.', examples: [431.7] }),
    price: Type.Number({
      minimum: 0,
      description: 'Close of the session of the decision.',
      examples: [115.8],
    }),
    amount_minor: Minor('Amount in minor units of the currency, before costs.'),
  },
  { title: 'StrategyTrade', description: 'An order of a portfolio that starts in cash.' },
);

const Decision = Closed(
  {
    date: Day('Session of the decision.'),
    scheduled: Type.Boolean({
      description:
        'Whether the schedule has a decision in this session. If not, the decision is computed as in the first session of a backtest.',
      examples: [true],
    }),
    symbols: Type.Array(DecisionSymbol, {
      maxItems: 2_000,
      description: 'All symbols of the universe, ordered by symbol.',
    }),
    scale: Type.Number({
      minimum: 0,
      description: 'Factor of the volatility target; 1 without a volatility target.',
      examples: [1],
    }),
    gross: Weight('Sum of the absolute weights, a fraction of the value.'),
    net: Weight('Sum of the weights, a fraction of the value.'),
    trades: Type.Array(StrategyTrade, {
      maxItems: 2_000,
      description:
        'Orders from a start with `cash.initial_minor` in cash, at the close of the session and before costs.',
    }),
  },
  { title: 'StrategyDecision', description: 'The decision of one session, explained.' },
);

const Needs = Closed(
  {
    warmup_sessions: Type.Integer({
      minimum: 0,
      description: 'Number of sessions that the strategy needs before its first decision.',
      examples: [127],
    }),
    first_date: Day('First day of the prices that were read.'),
    prices: Type.Enum(['quoted', 'total_return'], {
      description: 'The prices that are used: as quoted, with corporate actions, or total return indices.',
      examples: ['total_return'],
    }),
    symbols: Type.Integer({
      minimum: 0,
      description: 'Number of distinct symbols that are in the universe at any time.',
      examples: [4],
    }),
    symbols_with_prices: Type.Integer({ minimum: 0, description: 'Symbols with prices.', examples: [4] }),
    features: Type.Array(
      Closed({
        signal: Type.String({ description: 'The signal.', examples: ['momentum'] }),
        feature: Type.String({ description: 'Key of the feature.', examples: ['momentum_12_1'] }),
        version: Type.Integer({ minimum: 1, description: 'Version of the feature.', examples: [1] }),
        revision: Type.Integer({ minimum: 0, description: 'Last revision that was read.', examples: [1] }),
      }),
      { maxItems: 50, description: 'The features that the strategy reads.' },
    ),
    cash_series: Nullable(
      Type.String({ examples: ['FEDFUNDS'] }),
      'Economic series of the interest on cash, or null.',
    ),
    assumed_knowledge_share: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Share of the prices whose time of knowledge the import assumed.',
      examples: [1],
    }),
  },
  { title: 'StrategyData', description: 'The data that the strategy needs.' },
);

export const StrategyWarningOnWire = Closed(
  {
    code: Type.String({ pattern: '^[a-z_]+$', description: 'Stable code.', examples: ['survivorship'] }),
    detail: Type.String({
      minLength: 1,
      description: 'The warning, for people.',
      examples: ['No symbol of the universe ever left it, so it may contain survivors only.'],
    }),
    symbols: Type.Array(Symbol, {
      maxItems: 20,
      description: 'Symbols that the warning is about, at most 20.',
    }),
  },
  {
    title: 'StrategyWarning',
    description: 'A property of the data or the strategy that makes the results less reliable.',
  },
);

export const StrategyCheck = Closed(
  {
    strategy: ResolvedStrategy,
    parameters: Type.Record(Type.String(), ParameterValue, {
      description: 'The values of all parameters.',
      examples: [{ lookback: 126 }],
    }),
    family: Sha256Of(
      'The family of the strategy: strategies that differ only in numbers and parameters have the same family.',
    ),
    as_of: Day('Only data known by the end of this day (UTC) is used.'),
    data: Needs,
    decision: Decision,
    warnings: Type.Array(StrategyWarningOnWire, { maxItems: 20, description: 'Warnings.' }),
  },
  { title: 'StrategyCheck', description: 'A strategy that was checked, and one of its decisions.' },
);
export type StrategyCheck = Static<typeof StrategyCheck>;
