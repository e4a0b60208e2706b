import Type, { type Static } from 'typebox';
import { Closed, IsoDate, Nullable } from '#lib/core/schema.ts';
import { BACKTEST_LIMITS } from '../backtests/backtest-limits.ts';
import { Benchmark } from '../benchmarks/benchmark.schema.ts';
import { ParameterSet, Strategy } from '../strategies/strategy.schema.ts';
import { SEARCH_LIMITS } from './optimization-limits.ts';
import { searchMetrics } from './search-metrics.ts';
import { SearchSpace } from './search-space.schema.ts';

export const searchMethods = ['grid', 'random', 'cma_es'] as const;

const Sessions = (description: string, example: number) =>
  Type.Optional(
    Type.Integer({ minimum: 1, maximum: BACKTEST_LIMITS.sessions, description, examples: [example] }),
  );

export const SearchObjective = Closed(
  {
    metric: Type.Optional(
      Type.Enum([...searchMetrics], {
        description: 'The measure to maximise. `minus_…` prefers small values. Default: `sharpe`.',
      }),
    ),
    cost_multiplier: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 100,
        description: 'Multiplies all costs of the trials, for a safety margin. Default: 1.',
        examples: [1],
      }),
    ),
  },
  { title: 'SearchObjective', description: 'The measure that the search maximises.' },
);

export const SearchRequirement = Closed(
  {
    metric: Type.Enum([...searchMetrics], { description: 'The measure.' }),
    min: Type.Optional(Type.Number({ description: 'Smallest accepted value.', examples: [-0.3] })),
    max: Type.Optional(Type.Number({ description: 'Largest accepted value.', examples: [1] })),
  },
  {
    title: 'SearchRequirement',
    description: 'A bound that a chosen trial must meet in its training sessions.',
  },
);

export const WalkForward = Closed(
  {
    train: Sessions('Number of sessions in a training range. Default: three times `test`.', 756),
    test: Sessions(
      'Number of sessions in a test range. Default: the largest number that leaves five folds.',
      252,
    ),
    step: Sessions('Sessions from one test range to the next. Default: `test`.', 252),
    anchored: Type.Optional(
      Type.Boolean({
        description: 'Whether every training range begins with the first session. Default: false.',
      }),
    ),
    embargo: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: BACKTEST_LIMITS.sessions,
        description:
          'Sessions between training and test, in addition to the lag of the strategy. Default: 0.',
        examples: [5],
      }),
    ),
  },
  { title: 'WalkForward', description: 'How the sessions are divided into training and test ranges.' },
);

/** The body of POST /quant/compute/optimizations. */
export const OptimizationRequestBody = Closed(
  {
    kind: Type.Optional(
      Type.Enum(['strategy'], { description: 'The search chooses parameters of a strategy. Default.' }),
    ),
    strategy: Strategy,
    from: { ...IsoDate, description: 'First day of the backtests.', examples: ['2016-01-04'] },
    to: {
      ...IsoDate,
      description: 'Last day of the backtests. It must be in the past.',
      examples: ['2019-12-31'],
    },
    as_of: Type.Optional({
      ...IsoDate,
      description: 'Only data known by the end of this day (UTC) is used. Default: today (UTC).',
    }),
    space: SearchSpace,
    where: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2_000,
        description: 'Condition over the numeric parameters, such as `fast < slow`. Default: none.',
        examples: ['lookback > 20'],
      }),
    ),
    method: Type.Optional(
      Type.Enum([...searchMethods], {
        description:
          'The search method. `grid`: every point of the space. `random`: independent points. `cma_es`: generations that move towards better points. Default: `grid` if every parameter has a list, a step or integers, otherwise `random`.',
      }),
    ),
    trials: Type.Optional(
      Type.Integer({
        minimum: 2,
        maximum: SEARCH_LIMITS.trials,
        description:
          'Largest number of trials of `random` and `cma_es`, 2 to 10,000. A `grid` has one trial for each point, at most 10,000. Default: 200.',
        examples: [200],
      }),
    ),
    objective: Type.Optional(SearchObjective),
    require: Type.Optional(
      Type.Array(SearchRequirement, {
        maxItems: SEARCH_LIMITS.requirements,
        description: 'Bounds that a chosen trial must meet, at most 8. Default: none.',
      }),
    ),
    baseline: Type.Optional({
      ...ParameterSet,
      description:
        'Parameters of the baseline, which the chosen parameters are compared with. Default: the defaults of the strategy.',
    }),
    benchmark: Type.Optional({
      ...Benchmark,
      description:
        'The benchmark: a symbol, a series or a strategy. Only the measure `information_ratio` uses and requires a benchmark. Default: null, which means no benchmark.',
    }),
    walk_forward: Type.Optional(
      Nullable(
        WalkForward,
        'Default: five folds. Null requires `accept_in_sample`, and nothing is recommended.',
      ),
    ),
    accept_in_sample: Type.Optional(
      Type.Boolean({ description: 'Whether a search without test ranges is accepted. Default: false.' }),
    ),
    cscv_blocks: Type.Optional(
      Type.Integer({
        minimum: 4,
        maximum: 16,
        multipleOf: 2,
        description: 'Number of blocks of the cross-validation, an even number from 4 to 16. Default: 10.',
        examples: [10],
      }),
    ),
    periods_per_year: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 366,
        description: 'Sessions in a year. Default: 252, or 12 for months.',
        examples: [252],
      }),
    ),
    trials_declared: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: BACKTEST_LIMITS.trialsDeclared,
        description: 'Number of trials made outside of the service. Default: 0.',
        examples: [0],
      }),
    ),
    seed: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Seed of the random points and of the resampling. Default: 0.',
        examples: [0],
      }),
    ),
  },
  {
    title: 'OptimizationRequest',
    description: 'A strategy, the parameters to choose, and how to judge them.',
  },
);
export type OptimizationRequestBody = Static<typeof OptimizationRequestBody>;
