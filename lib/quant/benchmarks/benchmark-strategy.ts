import { resolveStrategy } from '../strategies/resolve-strategy.ts';
import type { ResolvedStrategy } from '../strategies/strategy.schema.ts';
import type { ResolvedBenchmark } from './benchmark.schema.ts';

type Simulated = Exclude<ResolvedBenchmark, null | { series: string }>;

/**
 * Returns the strategy of a benchmark. A symbol is bought once with all cash, without costs, at the terms of the
 * strategy that is compared.
 */
export function benchmarkStrategy(
  benchmark: Simulated,
  { frequency, execution: { prices }, cash: { currency, initial_minor } }: ResolvedStrategy,
): ResolvedStrategy {
  if ('strategy' in benchmark) return benchmark.strategy;
  const found = resolveStrategy({
    frequency,
    universe: { kind: 'list', symbols: [benchmark.symbol] },
    weight: { scheme: 'equal' },
    schedule: { every: 'once', lag: 0 },
    execution: { prices, same_bar: true },
    costs: { proportional_bps: 0, borrow_bps: 0 },
    cash: { currency, initial_minor },
  });
  if (!found.ok)
    throw new Error(`the benchmark ${benchmark.symbol} is not a strategy: ${found.faults[0]!.message}`);
  return found.strategy;
}
