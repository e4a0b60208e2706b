import { canonicalHash } from '#lib/core/seal.ts';
import { dataHash } from '../backtests/data-hash.ts';
import type { StrategyData } from '../strategies/strategy-data.ts';

/** The known levels of an economic series as one text, oldest first: `date level,...`. */
export type LevelsText = { levels: string; observed: number; assumed: number };

/** The data of a benchmark. It is plain data, so that it can be passed to a thread. */
export type BenchmarkData =
  | { kind: 'simulated'; data: StrategyData }
  | { kind: 'series'; series: LevelsText };

/** The data of a strategy and of its benchmark. */
export type StrategyWithBenchmark = { data: StrategyData; benchmark: BenchmarkData | null };

/** Returns the SHA-256 of the data of a benchmark; null without a benchmark. */
export function benchmarkHash(benchmark: BenchmarkData | null): string | null {
  if (benchmark === null) return null;
  return benchmark.kind === 'series' ? canonicalHash(benchmark.series) : dataHash(benchmark.data);
}
