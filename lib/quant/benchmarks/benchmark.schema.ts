import Type, { type Static } from 'typebox';
import { Closed } from '#lib/core/schema.ts';
import { PinnedFeatures } from '../strategies/pinned-features.schema.ts';
import { StrategySymbol } from '../strategies/strategy-members.schema.ts';
import { ParameterSet, ResolvedStrategy, Strategy } from '../strategies/strategy.schema.ts';
import { withoutDefaults } from './without-defaults.ts';

const BenchmarkSymbol = Closed(
  { symbol: StrategySymbol },
  {
    title: 'BenchmarkSymbol',
    description: 'A symbol that is bought once, with all cash and without costs.',
  },
);

const BenchmarkSeries = Closed(
  {
    series: Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        'Economic series of index levels above 0. Each session has the last value observed by its date, as known on the day `as_of`.',
      examples: ['SP500'],
    }),
  },
  { title: 'BenchmarkSeries', description: 'The levels of an economic series.' },
);

/** A strategy as one alternative of a union of schemas. A validator cannot fill in defaults within a union. */
export const ComparedStrategy = { ...withoutDefaults(Strategy), title: 'ComparedStrategy' };

/** The benchmark of a request. */
export const Benchmark = Type.Union(
  [
    BenchmarkSymbol,
    BenchmarkSeries,
    Closed(
      {
        strategy: ComparedStrategy,
        parameters: Type.Optional(ParameterSet),
      },
      {
        title: 'BenchmarkStrategy',
        description:
          'Another strategy, with its own costs. It must have the same frequency and currency as the strategy.',
      },
    ),
    Type.Null(),
  ],
  { description: 'The benchmark: a symbol, a series or a strategy. Null means no benchmark.' },
);
export type Benchmark = Static<typeof Benchmark>;

/** The benchmark with every default filled in. */
export const ResolvedBenchmark = Type.Union(
  [
    BenchmarkSymbol,
    BenchmarkSeries,
    Closed(
      {
        strategy: { ...withoutDefaults(ResolvedStrategy), title: 'ResolvedBenchmarkStrategy' },
        parameters: ParameterSet,
        features: PinnedFeatures,
      },
      { description: 'Another strategy.' },
    ),
    Type.Null(),
  ],
  { description: 'The benchmark with every default filled in; null if there is none.' },
);
export type ResolvedBenchmark = Static<typeof ResolvedBenchmark>;
