import Type, { type Static } from 'typebox';
import { Closed, IsoDate } from '#lib/core/schema.ts';
import { Benchmark } from '../benchmarks/benchmark.schema.ts';
import { ParameterSet, Strategy } from '../strategies/strategy.schema.ts';
import { BACKTEST_LIMITS } from './backtest-limits.ts';

/** The body of POST /quant/compute/backtests. */
export const BacktestRequestBody = Closed(
  {
    strategy: Strategy,
    parameters: Type.Optional(ParameterSet),
    from: { ...IsoDate, description: 'First day of the backtest.', examples: ['2016-01-04'] },
    to: {
      ...IsoDate,
      description: 'Last day of the backtest. It must be in the past.',
      examples: ['2019-12-31'],
    },
    as_of: Type.Optional({
      ...IsoDate,
      description: 'Only data known by the end of this day (UTC) is used. Default: today (UTC).',
    }),
    benchmark: Type.Optional(Benchmark),
    periods_per_year: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 366,
        description: 'Sessions in a year, used to annualise figures. Default: 252, or 12 for months.',
        examples: [252],
      }),
    ),
    variants: Type.Optional(
      Type.Array(ParameterSet, {
        maxItems: BACKTEST_LIMITS.variants,
        description:
          'Further sets of parameters, at most 64. Each is a trial of the same family over the same days. Default: none.',
      }),
    ),
    trials_declared: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: BACKTEST_LIMITS.trialsDeclared,
        description:
          'Number of trials made outside of the service. They are counted when the Sharpe ratio is deflated. Default: 0.',
        examples: [0],
      }),
    ),
    capacity: Type.Optional(
      Type.Boolean({
        description: 'Whether the backtest is repeated with 3, 10, 30 and 100 times the cash. Default: true.',
      }),
    ),
    seed: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Seed of the resampling that compares the strategy with the benchmark. Default: 0.',
        examples: [0],
      }),
    ),
  },
  { title: 'BacktestRequest', description: 'A strategy, the days to simulate, and the evidence to compute.' },
);
export type BacktestRequestBody = Static<typeof BacktestRequestBody>;
