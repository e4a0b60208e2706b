import Type, { type Static } from 'typebox';
import { Closed, IsoDate, Sha256Of } from '#lib/core/schema.ts';
import { ComparedStrategy } from '../../benchmarks/benchmark.schema.ts';
import { PinnedFeatures } from '../../strategies/pinned-features.schema.ts';
import { ParameterSet, ResolvedStrategy } from '../../strategies/strategy.schema.ts';
import { TOURNAMENT_LIMITS } from '../tournament-limits.ts';

export const StrategiesTask = Closed(
  {
    kind: Type.Literal('strategies', { description: 'Entries are strategies that are simulated.' }),
    from: { ...IsoDate, description: 'First day of the simulations.', examples: ['2016-01-04'] },
    to: {
      ...IsoDate,
      description: 'Last day of the simulations. It must be in the past.',
      examples: ['2019-12-31'],
    },
  },
  { title: 'StrategiesTask', description: 'Strategies to compare by their Sharpe ratios.' },
);
export type StrategiesTask = Static<typeof StrategiesTask>;

/** Members of an entry that is a strategy. */
export const strategyEntry = {
  strategy: ComparedStrategy,
  parameters: Type.Optional(ParameterSet),
  variants: Type.Optional(
    Type.Array(ParameterSet, {
      minItems: 1,
      maxItems: TOURNAMENT_LIMITS.strategies - 1,
      description:
        'Further sets of parameters. At every `refit_every`-th origin, the entry chooses the set with the largest Sharpe ratio in the window before the origin. Of equal ratios, `parameters` comes first, then the variants in order. Default: none.',
    }),
  ),
};

/** The strategy of a resolved entry. */
export const EnteredStrategy = Closed(
  {
    family: Sha256Of('Family of the strategy: the hash of the strategy without its numbers and parameters.'),
    rules: ResolvedStrategy,
    parameters: ParameterSet,
    features: PinnedFeatures,
    variants: Type.Array(
      Closed({ parameters: ParameterSet, rules: ResolvedStrategy }, { description: 'A variant.' }),
      {
        maxItems: TOURNAMENT_LIMITS.strategies - 1,
        description: 'The further sets of parameters among which the entry chooses.',
      },
    ),
  },
  { title: 'EnteredStrategy', description: 'A strategy with every default filled in.' },
);
export type EnteredStrategy = Static<typeof EnteredStrategy>;

/** The days of a tournament of strategies. */
export const StrategyDays = Closed(
  {
    from: { ...IsoDate, description: 'First day of the simulations.' },
    to: { ...IsoDate, description: 'Last day of the simulations.' },
    as_of: { ...IsoDate, description: 'Only data known by the end of this day (UTC) is used.' },
  },
  { description: 'The days of the simulations.' },
);
