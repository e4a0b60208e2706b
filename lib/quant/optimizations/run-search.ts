import type { Part } from '#lib/core/run.ts';
import type { StrategyWithBenchmark } from '../benchmarks/benchmark-data.ts';
import type { OptimizationInput } from './optimization-input.schema.ts';
import { judgeSearch, type SearchOutcome } from './judge-search.ts';
import { prepareSearch } from './prepare-search.ts';
import { runTrials } from './run-trials.ts';
import { roundPoints } from './search-division.ts';
import { pointsOfRounds } from './search-points.ts';
import type { SearchRefusal } from './search-refusals.ts';
import { trialWidth } from './trial-layout.ts';

/**
 * Returns the numbers of the trials of a part. `first` is the number of the first trial, counted over all
 * rounds.
 */
export function searchPart(
  input: OptimizationInput,
  data: StrategyWithBenchmark,
  { part, before, progress }: { part: Part; before: Float64Array; progress: (share: number) => void },
): Float64Array | { ok: false; refusal: SearchRefusal } {
  const found = prepareSearch(input, data);
  if (!found.ok) return found;
  const { context, first } = found.search;
  const points = part.round === 0 ? first : roundPoints(input, part.round, before)!;
  const at = part.first - part.round * points.length;
  return runTrials(context, points.slice(at, at + part.count), progress);
}

/** Computes the result of a search from the numbers of all its trials. */
export function searchOutcome(
  input: OptimizationInput,
  data: StrategyWithBenchmark,
  numbers: Float64Array,
): SearchOutcome {
  const found = prepareSearch(input, data);
  if (!found.ok) return found;
  const width = trialWidth(found.search.context.folds.length, input.cscv_blocks);
  const rows = Array.from({ length: numbers.length / width }, (_, at) =>
    numbers.subarray(at * width, (at + 1) * width),
  );
  const objectives = rows.map((row) => row[0]!);
  return judgeSearch(found.search, pointsOfRounds(input, objectives), rows);
}
