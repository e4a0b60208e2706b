import type { Fold, Range } from '#lib/numerics/search/folds.ts';
import { blockSums } from '#lib/numerics/overfitting/block-sums.ts';
import { sharpeSpread } from '#lib/numerics/risk/sharpe-spread.ts';
import type { OptimizationInput } from './optimization-input.schema.ts';
import { searchMetric } from './search-metric.ts';
import type { SearchMetric } from './search-metrics.ts';

type Terms = Pick<OptimizationInput, 'metric' | 'require' | 'cscv_blocks' | 'periods_per_year'>;

/**
 * Returns how many numbers a search stores for each trial. They are, in this order:
 *
 * - the objective, whether the requirements are met (1 or 0), and the Sharpe ratio per session;
 * - for each fold, the objective in the training range, whether the requirements are met there, and the objective in
 *   the test range;
 * - the sums of the blocks, then their sums of squares.
 *
 * An undefined value is NaN. All numbers of a trial that cannot be simulated are NaN.
 */
export function trialWidth(folds: number, blocks: number): number {
  return 3 + 3 * folds + 2 * blocks;
}

/**
 * Returns the numbers of a trial. `returns` are the returns of its sessions, and `benchmark` those of the benchmark, or
 * null.
 */
export function trialNumbers(
  { returns, benchmark }: { returns: Float64Array; benchmark: Float64Array | null },
  folds: readonly Fold[],
  terms: Terms,
): Float64Array {
  const numbers = new Float64Array(trialWidth(folds.length, terms.cscv_blocks));
  const within = ({ from, to }: Range): Part => ({
    returns: returns.subarray(from, to),
    benchmark: benchmark && benchmark.subarray(from, to),
  });
  const objective = (part: Part) => metricOf(terms.metric, part, terms);
  const whole = { returns, benchmark };
  numbers.set([objective(whole), isMet(whole, terms) ? 1 : 0, sharpeSpread(returns, 0)?.ratio ?? Number.NaN]);
  for (const [at, { train, test }] of folds.entries()) {
    const training = within(train);
    numbers.set([objective(training), isMet(training, terms) ? 1 : 0, objective(within(test))], 3 + 3 * at);
  }
  numbers.set(blockSums(returns, terms.cscv_blocks), 3 + 3 * folds.length);
  return numbers;
}

/** The numbers of a trial by name. */
export type TrialRow = {
  objective: number;
  isFeasible: boolean;
  sharpe: number;
  folds: { train: number; isFeasible: boolean; test: number }[];
  sums: Float64Array;
  /** Whether the trial was simulated. */
  isSimulated: boolean;
};

/** Reads the numbers of a trial. */
export function readTrial(numbers: Float64Array, folds: number): TrialRow {
  const sums = numbers.subarray(3 + 3 * folds);
  return {
    objective: numbers[0]!,
    isFeasible: numbers[1] === 1,
    sharpe: numbers[2]!,
    folds: Array.from({ length: folds }, (_, at) => ({
      train: numbers[3 + 3 * at]!,
      isFeasible: numbers[4 + 3 * at] === 1,
      test: numbers[5 + 3 * at]!,
    })),
    sums,
    isSimulated: Number.isFinite(sums[0]),
  };
}

type Part = { returns: Float64Array; benchmark: Float64Array | null };

function metricOf(
  metric: SearchMetric,
  { returns, benchmark }: Part,
  { periods_per_year: periodsPerYear }: Terms,
): number {
  return searchMetric(metric, returns, { periodsPerYear, benchmark });
}

function isMet(part: Part, terms: Terms): boolean {
  return terms.require.every(({ metric, min = -Infinity, max = Infinity }) => {
    const value = metricOf(metric, part, terms);
    return value >= min && value <= max;
  });
}
