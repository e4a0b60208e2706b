import type { Control } from '#lib/core/run.ts';
import { blockSums } from '#lib/numerics/overfitting/block-sums.ts';
import { annualReturn } from '#lib/numerics/risk/annual-return.ts';
import { sharpeSpread } from '#lib/numerics/risk/sharpe-spread.ts';
import { benchmarkHash, type StrategyWithBenchmark } from '../benchmarks/benchmark-data.ts';
import { StrategyCache } from '../strategies/strategy-cache.ts';
import type { StrategyRefusal } from '../strategies/strategy-refusal.ts';
import type { ResolvedStrategy } from '../strategies/strategy.schema.ts';
import { evidenceOf } from '../trials/evidence.ts';
import { backtestReport } from './backtest-report.ts';
import type { BacktestInput } from './backtest-input.schema.ts';
import { CAPACITY_SCALES } from './backtest-limits.ts';
import type { BacktestResult } from './backtest-result.schema.ts';
import { holdingsTable, ordersTable } from './backtest-tables.ts';
import type { BacktestHoldings, BacktestOrders } from './backtest-tables.schema.ts';
import { againstBenchmark } from './against-benchmark.ts';
import { halfCapacity } from './capacity.ts';
import { dataHash } from './data-hash.ts';
import { furtherStrategies } from './divide-backtest.ts';
import { type Curve, figuresOf, returnsOf } from './simulated.ts';
import { simulateStrategy } from './simulate-strategy.ts';

/** Number of blocks of the cross-validation of the variants. */
const BLOCKS = 10;

export type BacktestOutcome =
  | {
      ok: true;
      output: { input_data: { prices: string; benchmark: string | null }; result: BacktestResult };
      attachments: { orders: BacktestOrders; holdings: BacktestHoldings };
    }
  | { ok: false; refusal: StrategyRefusal };

/**
 * Simulates a strategy, its variants, its benchmark and its larger sizes, and returns the figures and the evidence. All
 * simulations share prices and signals. If `curves` has the curves of the strategies of `furtherStrategies`, only the
 * strategy itself and its benchmark are simulated.
 */
export function runBacktest(
  input: BacktestInput,
  { data, benchmark }: StrategyWithBenchmark,
  control: Pick<Control, 'progress'>,
  curves?: readonly Float64Array[],
): BacktestOutcome {
  const cache = new StrategyCache();
  const count = 1 + (curves ? 0 : furtherStrategies(input).length);
  let done = 0;
  const simulate = (strategy: ResolvedStrategy, detail = false) => {
    const progress = (share: number) => control.progress((done + share) / count);
    const found = simulateStrategy(strategy, data, { cache, detail, progress });
    done += 1;
    control.progress(done / count);
    return found;
  };
  const main = simulate(input.strategy, true);
  if (!main.ok) return main;
  const further: Curve[] = (curves ?? []).map((value) => ({ ledger: { value } }));
  if (!curves)
    for (const strategy of furtherStrategies(input)) {
      const found = simulate(strategy);
      if (!found.ok) return found;
      further.push(found.simulated);
    }
  const variants = further.slice(0, input.variants.length);
  const sizes = further.slice(input.variants.length);
  const { simulated } = main;
  const compared = againstBenchmark(input, simulated, benchmark);
  if (!compared.ok) return compared;
  const { periods_per_year: periodsPerYear } = input;
  const annual = (each: Curve) => annualReturn(returnsOf(each), periodsPerYear);
  const trials = [simulated, ...variants].map(returnsOf);
  const result: BacktestResult = {
    ...backtestReport(simulated, periodsPerYear),
    symbols: simulated.symbols.length,
    currency: input.strategy.cash.currency,
    benchmark: compared.benchmark,
    capacity: input.capacity ? capacity() : null,
    variants: variants.map((each) => figuresOf(each, periodsPerYear)),
    evidence: evidenceOf({
      returns: trials[0]!,
      sharpes: trials.map((returns) => sharpeSpread(returns, 0)?.ratio ?? null),
      sums: trials.map((returns) => blockSums(returns, BLOCKS)),
      blocks: BLOCKS,
      before: input.trials,
    }),
    knowledge: simulated.knowledge,
  };
  const names = { sessions: simulated.sessions, symbols: simulated.symbols };
  return {
    ok: true,
    output: { input_data: { prices: dataHash(data), benchmark: benchmarkHash(benchmark) }, result },
    attachments: {
      orders: ordersTable(simulated.ledger, names),
      holdings: holdingsTable(simulated.ledger, names),
    },
  };

  function capacity(): NonNullable<BacktestResult['capacity']> {
    const [gross, ...returns] = [sizes.at(-1)!, ...sizes.slice(0, -1)].map(annual) as [
      number | null,
      ...(number | null)[],
    ];
    const points = CAPACITY_SCALES.map((scale, at) => ({
      scale,
      annual_return: at === 0 ? annual(simulated) : returns[at - 1]!,
    }));
    return {
      points,
      gross_annual_return: gross,
      half_scale: gross === null ? null : halfCapacity(gross, points),
    };
  }
}
