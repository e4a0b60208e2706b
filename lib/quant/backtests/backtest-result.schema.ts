import Type, { type Static } from 'typebox';
import { Closed, Nullable } from '#lib/core/schema.ts';
import { Count, DateOf, Maybe, Share } from '#lib/investment/risk/risk-members.schema.ts';
import { Benchmark, Drawdowns, Performance } from '#lib/investment/risk/risk-result.schema.ts';
import { StrategySymbol } from '../strategies/strategy-members.schema.ts';
import { BACKTEST_LIMITS } from './backtest-limits.ts';
import {
  Capacity,
  Costs,
  Curve,
  Ended,
  Exposure,
  Knowledge,
  Orders,
  Periods,
  Turnover,
  Variant,
} from './backtest-members.schema.ts';
import { Evidence } from '../trials/evidence.schema.ts';

const { portfolio: _, ...benchmarkFigures } = Benchmark.properties;

export const BacktestResult = Closed(
  {
    first_date: DateOf('First session.'),
    last_date: DateOf('Last session.'),
    sessions: Count('Number of sessions.'),
    symbols: Count('Number of distinct symbols that are in the universe at any time during the backtest.'),
    currency: Type.String({
      pattern: '^[A-Z]{3}$',
      description: 'Currency of all amounts.',
      examples: ['USD'],
    }),
    ended: Ended,
    volatility: Maybe(
      'Annual volatility, a fraction: the standard deviation (ddof 1) of the returns times sqrt(P), with P sessions a year.',
    ),
    performance: Performance,
    drawdowns: Drawdowns,
    benchmark: Nullable(
      Closed({
        ...benchmarkFigures,
        kind: Type.Enum(['symbol', 'series', 'strategy'], { description: 'Kind of the benchmark.' }),
        symbol: Nullable(StrategySymbol, 'Symbol of the benchmark. Null for another kind.'),
        assumed_share: Share(
          'Share of the prices or levels of the benchmark whose time of knowledge was assumed, not recorded.',
        ),
        sharpe_difference_p: Maybe(
          'One-sided p-value of the test that the Sharpe ratio is above that of the benchmark (Ledoit and Wolf 2008).',
        ),
      }),
      'Comparison with the benchmark. Null without a benchmark, and if the benchmark has no value in the first session.',
    ),
    by_year: Periods('year', '2019', 100),
    by_month: Periods('month', '2019-03', 1_200),
    turnover: Turnover,
    costs: Costs,
    income: Closed(
      {
        dividends: Type.Number({ description: 'Cash dividends, less the tax withheld.' }),
        interest: Type.Number({ description: 'Interest on cash.' }),
      },
      { description: 'Income, in units of the currency.' },
    ),
    orders: Orders,
    exposure: Exposure,
    capacity: Capacity,
    variants: Type.Array(Variant, {
      maxItems: BACKTEST_LIMITS.variants,
      description: 'Figures of the variants, in the order of the request.',
    }),
    evidence: Evidence,
    knowledge: Knowledge,
    curve: Curve,
  },
  { title: 'BacktestResult', description: 'The curve of the strategy, its figures, and the evidence.' },
);
export type BacktestResult = Static<typeof BacktestResult>;
