import Type, { type Static } from 'typebox';
import { Closed, IsoDate, Sha256Of } from '#lib/core/schema.ts';
import { Count } from '#lib/investment/risk/risk-members.schema.ts';
import { ResolvedBenchmark } from '../benchmarks/benchmark.schema.ts';
import { PinnedFeatures } from '../strategies/pinned-features.schema.ts';
import { ParameterSet, ResolvedStrategy } from '../strategies/strategy.schema.ts';
import { BACKTEST_LIMITS } from './backtest-limits.ts';

/** The trials of the family that were sealed before this run. */
export const TrialsBefore = Closed(
  {
    declared: Count('Number of trials that the request declares.'),
    counted: Count('Number of sealed trials of the family in the workspace before this run.'),
    measured: Count('Number of the counted trials whose returns vary.'),
    sharpe_sum: Type.Number({
      description: 'Sum of the Sharpe ratios per session of the `measured` trials.',
    }),
    sharpe_square_sum: Type.Number({
      minimum: 0,
      description: 'Sum of the squared Sharpe ratios per session of the `measured` trials.',
    }),
  },
  { description: 'Trials of the family before this run.' },
);

export const BacktestInput = Closed(
  {
    family: Sha256Of('Family of the strategy: the hash of the strategy without its numbers and parameters.'),
    strategy: ResolvedStrategy,
    parameters: ParameterSet,
    variants: Type.Array(Closed({ parameters: ParameterSet, strategy: ResolvedStrategy }), {
      maxItems: BACKTEST_LIMITS.variants,
      description: 'The variants with every default filled in.',
    }),
    features: PinnedFeatures,
    from: { ...IsoDate, description: 'First day of the backtest.' },
    to: { ...IsoDate, description: 'Last day of the backtest.' },
    as_of: { ...IsoDate, description: 'Only data known by the end of this day (UTC) is used.' },
    benchmark: ResolvedBenchmark,
    periods_per_year: Type.Integer({ minimum: 1, maximum: 366, description: 'Sessions in a year.' }),
    capacity: Type.Boolean({ description: 'Whether larger sizes are simulated too.' }),
    trials: TrialsBefore,
    seed: Type.Integer({ minimum: 0, description: 'Seed of the resampling.' }),
  },
  { title: 'BacktestInput', description: 'The request with every default filled in.' },
);
export type BacktestInput = Static<typeof BacktestInput>;
