import { divideSearch, searchRounds } from '#lib/quant/optimizations/search-division.ts';
import type { optimizationsRun } from '#lib/quant/optimizations/optimizations.run.ts';
import { searchOutcome, searchPart } from '#lib/quant/optimizations/run-search.ts';
import type { StrategyWithBenchmark } from '#lib/quant/benchmarks/benchmark-data.ts';
import { computeInRounds } from '../process/rounds.ts';
import type { ComputationOf } from '../process/runner.ts';
import type runner from './optimizations.ts';

/** Divides the generations of an evolution search in a thread, because the division computes their points. */
export { divideSearch as divide };

export const compute: ComputationOf<typeof runner> = computeInRounds<
  typeof optimizationsRun,
  StrategyWithBenchmark
>(
  { divide: divideSearch, rounds: searchRounds },
  {
    part: (input, data, { part, before, control }) => {
      const progress = (share: number) => {
        if (control.cancelled()) throw new Error('cancelled');
        control.progress(share);
      };
      return searchPart(input, data, { part, before, progress });
    },
    merge: (input, data, { numbers }) => searchOutcome(input, data, numbers),
  },
);
