import Type, { type Static } from 'typebox';
import { Closed, IsoDate, Nullable, Sha256Of } from '#lib/core/schema.ts';
import { TrialsBefore } from '../backtests/backtest-input.schema.ts';
import { ResolvedBenchmark } from '../benchmarks/benchmark.schema.ts';
import { PinnedFeatures } from '../strategies/pinned-features.schema.ts';
import { ParameterSet, Strategy } from '../strategies/strategy.schema.ts';
import { SEARCH_LIMITS } from './optimization-limits.ts';
import { searchMethods, SearchRequirement, WalkForward } from './optimization-request.schema.ts';
import { searchMetrics } from './search-metrics.ts';
import { SearchSpace } from './search-space.schema.ts';

export const OptimizationInput = Closed(
  {
    kind: Type.Enum(['strategy'], { description: 'The search chooses parameters of a strategy.' }),
    family: Sha256Of('Family of the strategy: the hash of the strategy without its numbers and parameters.'),
    strategy: Strategy,
    features: PinnedFeatures,
    from: { ...IsoDate, description: 'First day of the backtests.' },
    to: { ...IsoDate, description: 'Last day of the backtests.' },
    as_of: { ...IsoDate, description: 'Only data known by the end of this day (UTC) is used.' },
    warmup: Type.Integer({
      minimum: 0,
      description: 'Number of sessions before the first day that the trials also read.',
    }),
    space: SearchSpace,
    where: Nullable(
      Type.String({ description: 'Condition over the parameters.' }),
      'Condition on the parameters; null if there is none.',
    ),
    method: Type.Enum([...searchMethods], { description: 'The search method.' }),
    trials: Type.Integer({
      minimum: 2,
      maximum: SEARCH_LIMITS.trials,
      description: 'Largest number of trials.',
    }),
    metric: Type.Enum([...searchMetrics], { description: 'The measure to maximise.' }),
    cost_multiplier: Type.Number({ minimum: 0, description: 'Factor that multiplies all costs.' }),
    require: Type.Array(SearchRequirement, {
      maxItems: SEARCH_LIMITS.requirements,
      description: 'Bounds that a chosen trial must meet.',
    }),
    baseline: {
      ...ParameterSet,
      description: 'Parameters of the baseline, which the chosen parameters are compared with.',
    },
    benchmark: ResolvedBenchmark,
    walk_forward: Nullable(WalkForward, 'Training and test ranges; null if there are none.'),
    cscv_blocks: Type.Integer({
      minimum: 4,
      maximum: 16,
      description: 'Number of blocks of the cross-validation.',
    }),
    periods_per_year: Type.Integer({ minimum: 1, maximum: 366, description: 'Sessions in a year.' }),
    before: TrialsBefore,
    seed: Type.Integer({ minimum: 0, description: 'Seed.' }),
  },
  { title: 'OptimizationInput', description: 'The request with every default filled in.' },
);
export type OptimizationInput = Static<typeof OptimizationInput>;
