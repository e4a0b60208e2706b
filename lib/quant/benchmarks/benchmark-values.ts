import { simulateStrategy } from '../backtests/simulate-strategy.ts';
import type { StrategyRefusal } from '../strategies/strategy-refusal.ts';
import type { ResolvedStrategy } from '../strategies/strategy.schema.ts';
import type { BenchmarkData, LevelsText } from './benchmark-data.ts';
import { benchmarkStrategy } from './benchmark-strategy.ts';
import type { ResolvedBenchmark } from './benchmark.schema.ts';

export type BenchmarkValues =
  | {
      ok: true;
      /** The value of the benchmark at each date; null if it has no value at the first date. */
      values: Float64Array | null;
      /** Share of the benchmark's prices or levels whose known-at time was assumed. */
      assumedShare: number;
    }
  | { ok: false; refusal: StrategyRefusal };

/**
 * Returns the value of a benchmark at each of the dates: the last value up to the date. A level that is not above 0
 * counts as missing. Refuses a strategy that cannot be simulated.
 */
export function benchmarkValues(
  benchmark: NonNullable<ResolvedBenchmark>,
  found: BenchmarkData,
  { strategy, dates }: { strategy: ResolvedStrategy; dates: readonly string[] },
): BenchmarkValues {
  if ('series' in benchmark || found.kind === 'series') {
    if (found.kind !== 'series') throw new Error('the benchmark is a series, and its data are prices');
    const { observed, assumed } = found.series;
    const assumedShare = observed === 0 ? 0 : assumed / observed;
    return { ok: true, values: valuesAt(levelsOf(found.series), dates), assumedShare };
  }
  const simulation = simulateStrategy(benchmarkStrategy(benchmark, strategy), found.data, {
    detail: false,
  });
  if (!simulation.ok) return { ok: false, refusal: ofBenchmark(simulation.refusal) };
  const { sessions, ledger, knowledge } = simulation.simulated;
  const values = valuesAt({ days: sessions, values: ledger.value }, dates);
  return { ok: true, values, assumedShare: knowledge.assumed_share };
}

function ofBenchmark(refusal: StrategyRefusal): StrategyRefusal {
  return { ...refusal, detail: `The benchmark cannot be simulated. ${refusal.detail}` };
}

type Line = { days: readonly string[]; values: ArrayLike<number> };

function levelsOf({ levels }: LevelsText): Line {
  const rows = (levels === '' ? [] : levels.split(','))
    .map((row) => row.split(' ') as [string, string])
    .filter(([, level]) => Number(level) > 0);
  return { days: rows.map(([day]) => day), values: rows.map(([, level]) => Number(level)) };
}

/** Returns the last value up to each date, or null if the first value is after the first date. */
function valuesAt({ days, values }: Line, dates: readonly string[]): Float64Array | null {
  if (days.length === 0 || days[0]! > dates[0]!) return null;
  let at = 0;
  return Float64Array.from(dates, (date) => {
    while (at + 1 < days.length && days[at + 1]! <= date) at += 1;
    return values[at]!;
  });
}
