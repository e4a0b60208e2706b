import Type, { type Static } from 'typebox';
import { Closed, Line } from '#lib/core/schema.ts';
import {
  completeForm,
  ParameterValue,
  PARAMETER_PATTERN,
  writtenSchema,
  type Written,
} from './parameter.schema.ts';
import { Choice, OrNull } from './strategy-members.schema.ts';
import { Constraints, Selection, Signals, Weighting } from './strategy-selection.schema.ts';
import { Cash, Costs, Execution, Overlay, Schedule } from './strategy-trading.schema.ts';
import { Universe } from './strategy-universe.schema.ts';

export const STRATEGY_LANGUAGE = 'assay-strategy/1';

const rules = {
  universe: Universe,
  signals: Signals,
  select: Selection,
  weight: Weighting,
  constraints: Constraints,
  schedule: Schedule,
  overlay: Overlay,
  execution: Execution,
  costs: Costs,
  cash: Cash,
  frequency: Choice(
    ['daily', 'monthly'],
    'The sessions: observed days, or the last observation of each month. Default: `daily`.',
  ),
};

const about = {
  language: Type.Literal(STRATEGY_LANGUAGE, {
    default: STRATEGY_LANGUAGE,
    description: 'Version of the strategy language.',
    examples: [STRATEGY_LANGUAGE],
  }),
  name: OrNull(Line(200, 'A name.', 'Twelve-month momentum'), 'Name of the strategy. Default: null.'),
  trial_family: OrNull(
    Line(100, 'A family.', 'momentum'),
    'Name of the family whose trials are counted together. Default: null, which means all strategies that differ only in numbers and parameters.',
  ),
};

const described = {
  title: 'ResolvedStrategy',
  description: 'A strategy with every default filled in and every parameter replaced by its value.',
};

/** The schema with which a strategy is resolved: the validator adds its defaults. */
export const StrategyRules = Closed({ ...about, ...rules }, described);
export type ResolvedStrategy = Static<typeof StrategyRules>;

/** A strategy with every default filled in and every parameter replaced by its value. */
export const ResolvedStrategy = Type.Unsafe<ResolvedStrategy>(completeForm(StrategyRules) as object);

const Parameters = Type.Record(Type.String({ pattern: PARAMETER_PATTERN }), ParameterValue, {
  maxProperties: 50,
  default: {},
  description:
    'Default values of the parameters by name, at most 50. `{"$": "name"}` uses a parameter instead of a number or word, and `$name` uses it in an expression. Every parameter must be used.',
});

/** A strategy as written by a caller. */
export type Strategy = Omit<Written<ResolvedStrategy>, 'universe' | 'weight'> & {
  universe: Written<ResolvedStrategy['universe']>;
  weight: Written<ResolvedStrategy['weight']>;
  parameters?: Record<string, ParameterValue>;
};

const written = writtenSchema(StrategyRules, {}) as unknown as { properties: Record<string, unknown> };

/** The language `assay-strategy/1`. */
export const Strategy = Type.Unsafe<Strategy>({
  ...written,
  properties: { ...written.properties, parameters: Parameters },
  title: 'Strategy',
  description:
    'A strategy of the language `assay-strategy/1`. All members but `universe` and `weight` have defaults. `{"$": "name"}` may stand for any number or word.',
  examples: [
    {
      language: STRATEGY_LANGUAGE,
      name: 'Momentum with a volatility target',
      universe: { kind: 'list', symbols: ['AAPL', 'MSFT', 'XOM', 'JNJ'] },
      signals: { momentum: { expression: 'return(adj_close, $lookback)' } },
      select: { by: 'momentum', top: 2, where: 'momentum > 0' },
      weight: { scheme: 'inverse_volatility', short: { bottom: 0 }, construct: { window: 126 } },
      constraints: { weight_max: 0.6, group_max: { sector: 0.8 } },
      schedule: { every: 'month', lag: 1 },
      overlay: { volatility_target: { annual: 0.1 }, stop: { drawdown: 0.2 } },
      execution: { price: 'close' },
      costs: { proportional_bps: 10, impact: { kind: 'none' } },
      cash: { rate: 0.01 },
      parameters: { lookback: 126 },
    },
  ],
});
export { Parameters as StrategyParameters };

/** Values that replace the defaults of parameters. */
export const ParameterSet = {
  ...Parameters,
  default: undefined,
  description: 'Values of parameters by name. They replace the defaults of the strategy.',
};
