import { performanceOf } from '#lib/investment/risk/portfolio-risk.ts';
import type { Fold } from '#lib/numerics/search/folds.ts';
import type { ParameterValue } from '../strategies/parameter.schema.ts';
import type { OptimizationResult } from './optimization-result.schema.ts';
import { numberOrNull } from './search-trials.ts';
import type { FoldChoice } from './search-summary.ts';

/** Presents a fold with its choice. `parameters`: the parameters of all trials. */
export function presentFold(
  { train, test }: Fold,
  choice: FoldChoice,
  { sessions, parameters }: { sessions: readonly string[]; parameters: readonly Parameters[] },
): OptimizationResult['folds'][number] {
  return {
    train: range(train, sessions),
    test: range(test, sessions),
    chosen: choice && parameters[choice.trial]!,
    train_objective: choice && numberOrNull(choice.train),
    test_objective: choice && numberOrNull(choice.test),
    rank_of_chosen_in_test: choice && choice.rank,
  };
}

type Parameters = Record<string, ParameterValue>;

/** The return of index t belongs to the session t + 1. */
function range({ from, to }: Fold['train'], sessions: readonly string[]) {
  return { from: sessions[from + 1]!, to: sessions[to]!, sessions: to - from };
}

/**
 * Returns the result of the chosen trials in their consecutive test ranges; null without test ranges, or if a fold has
 * no choice. Test ranges overlap if the step is shorter than the range. Each session is counted once, with the earlier
 * choice.
 */
export function outOfSample(
  folds: readonly Fold[],
  choices: readonly FoldChoice[],
  terms: {
    sessions: readonly string[];
    periodsPerYear: number;
    returnsOfTrial: (trial: number) => Float64Array;
  },
): OptimizationResult['out_of_sample'] {
  if (folds.length === 0 || choices.some((each) => each === null)) return null;
  const chosen = choices.map((each) => each!.trial);
  const returns = new Map([...new Set(chosen)].map((trial) => [trial, terms.returnsOfTrial(trial)]));
  const dates: string[] = [];
  const stitched: number[] = [];
  let after = -1;
  for (const [at, { test }] of folds.entries()) {
    const from = Math.max(test.from, after);
    dates.push(...terms.sessions.slice(from + 1, test.to + 1));
    stitched.push(...returns.get(chosen[at]!)!.subarray(from, test.to));
    after = test.to;
  }
  const performance = performanceOf(Float64Array.from(stitched), terms.periodsPerYear);
  return { performance, date: dates, return: stitched };
}
