import { benchmarkRelative } from '#lib/investment/risk/benchmark-relative.ts';
import { sharpeDifference } from '#lib/numerics/comparison/sharpe-difference.ts';
import type { BenchmarkData } from '../benchmarks/benchmark-data.ts';
import { benchmarkValues } from '../benchmarks/benchmark-values.ts';
import type { StrategyRefusal } from '../strategies/strategy-refusal.ts';
import type { BacktestInput } from './backtest-input.schema.ts';
import type { BacktestResult } from './backtest-result.schema.ts';
import { curveReturns } from './curve-returns.ts';
import { returnsOf, type Simulated } from './simulated.ts';

type Compared =
  | { ok: true; benchmark: BacktestResult['benchmark'] }
  | { ok: false; refusal: StrategyRefusal };

/**
 * Compares a backtest with its benchmark over the sessions of the backtest. The comparison is null if the
 * benchmark has no value in the first session.
 */
export function againstBenchmark(
  { benchmark, strategy, periods_per_year: periodsPerYear, seed }: BacktestInput,
  simulated: Simulated,
  data: BenchmarkData | null,
): Compared {
  if (benchmark === null || data === null) return { ok: true, benchmark: null };
  const found = benchmarkValues(benchmark, data, { strategy, dates: simulated.sessions });
  if (!found.ok) return found;
  if (found.values === null) return { ok: true, benchmark: null };
  const returns = returnsOf(simulated);
  const others = curveReturns(found.values);
  const difference = sharpeDifference(returns, others, { seed });
  return {
    ok: true,
    benchmark: {
      kind: 'symbol' in benchmark ? 'symbol' : 'series' in benchmark ? 'series' : 'strategy',
      symbol: 'symbol' in benchmark ? benchmark.symbol : null,
      assumed_share: found.assumedShare,
      ...benchmarkRelative(returns, others, periodsPerYear),
      sharpe_difference_p: difference.ok ? difference.p : null,
    },
  };
}
