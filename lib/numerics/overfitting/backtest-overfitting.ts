import { mean } from '../descriptive.ts';
import { leastSquares } from '../least-squares.ts';
import { ln } from '../natural-log.ts';
import { quantileSorted } from '../quantile.ts';
import { varies } from '../risk/varies.ts';
import { checkBlocks } from './block-sums.ts';
import { eachSplit, type Sums } from './each-split.ts';
import { type RankedChoice, rankedChoice, type Split } from './ranked-choice.ts';

export type BacktestOverfitting =
  | {
      ok: true;
      /** Number of divisions of the blocks into a training half and a test half: C(S, S/2). */
      combinations: number;
      /** Share of the combinations in which the chosen trial is at or below the median of the test half. */
      pbo: number;
      /** Share of the combinations in which the chosen trial has a Sharpe ratio below 0 in the test half. */
      probabilityOfLoss: number;
      /**
       * Regression of the chosen trial's ratio in the test half on its ratio in the training half. Null if the training
       * ratios do not vary. `r2` is null if the test ratios do not vary.
       */
      degradation: { slope: number; intercept: number; r2: number | null } | null;
      /** Logit of the relative test rank of the chosen trial, for each combination in lexicographic order. */
      logits: Float64Array;
      logitMean: number;
      /** Quantiles (type 7) of the logits. */
      logitQuantiles: { level: number; value: number }[];
      /** Number of combinations in which each trial is chosen. */
      chosenCounts: Int32Array;
    }
  /** Reason why there is no result: fewer than two trials, or fewer than two returns in a half. */
  | { ok: false; reason: 'too_few_trials' | 'too_few_returns' };

const LEVELS = [0.05, 0.25, 0.5, 0.75, 0.95] as const;

/**
 * Computes the probability of backtest overfitting by combinatorially symmetric cross-validation. For each combination
 * of half of the blocks, the trial with the largest Sharpe ratio in these blocks is chosen (the first of equal trials).
 * Its rank r among the N trials in the other half, 1 for the lowest and averaged over ties, gives the logit ln(r / (N +
 * 1 - r)). The probability is the share of the combinations whose logit is at most 0.
 *
 * `trials`: for each of N trials, the S sums and S sums of squares that `blockSums` returns; `blocks`: S, even, from
 * 2 to 16; `rows`: returns in a block. Ratios have ddof 1. A trial whose returns do not vary in a half, apart from
 * rounding, has the ratio 0 there. The result does not depend on the order of the trials, unless equal trials are
 * chosen.
 * Errors: `RangeError` on another S, sums of another length, and a sum that is not finite. Time: C(S, S/2) x N.
 * Source: Bailey, Borwein, Lopez de Prado and Zhu, "The Probability of Backtest Overfitting" (2017), section 3.
 *
 * Example: two equal trials share the rank 1.5, so that every logit is 0 and the probability is 1.
 */
export function backtestOverfitting(
  trials: readonly ArrayLike<number>[],
  { blocks, rows }: { blocks: number; rows: number },
): BacktestOverfitting {
  checkBlocks(blocks);
  if (!Number.isSafeInteger(rows) || rows < 0) throw new RangeError(`not a number of returns: ${rows}`);
  const sums = byBlock(trials, blocks);
  if (trials.length < 2) return { ok: false, reason: 'too_few_trials' };
  if ((rows * blocks) / 2 < 2) return { ok: false, reason: 'too_few_returns' };
  return summary(choices(sums, (rows * blocks) / 2), trials.length);
}

/** Returns the chosen trial of each combination, in lexicographic order. */
function choices(sums: readonly Sums[], returns: number): RankedChoice[] {
  const choose = rankedChoice(sums[0]!.sums.length, returns);
  const firsts: RankedChoice[] = [];
  const seconds: RankedChoice[] = [];
  eachSplit(sums, (first, second) => {
    const split: Split = choose(first, second);
    firsts.push(split.first);
    seconds.push(split.second);
  });
  return [...firsts, ...seconds.reverse()];
}

function summary(chosen: readonly RankedChoice[], trials: number): BacktestOverfitting {
  const combinations = chosen.length;
  const logits = Float64Array.from(chosen, ({ rank }) => ln(rank / (trials + 1 - rank)));
  const ascending = Float64Array.from(logits).sort();
  const chosenCounts = new Int32Array(trials);
  for (const { trial } of chosen) chosenCounts[trial]! += 1;
  return {
    ok: true,
    combinations,
    pbo: chosen.filter(({ rank }) => 2 * rank <= trials + 1).length / combinations,
    probabilityOfLoss: chosen.filter(({ test }) => test < 0).length / combinations,
    degradation: degradation(chosen),
    logits,
    logitMean: mean(logits),
    logitQuantiles: LEVELS.map((level) => ({ level, value: quantileSorted(ascending, level) })),
    chosenCounts,
  };
}

function degradation(chosen: readonly RankedChoice[]) {
  const train = chosen.map((each) => each.train);
  if (!varies(train)) return null;
  const { intercept, slopes, rSquared } = leastSquares([train], train.length)(chosen.map(({ test }) => test));
  return { slope: slopes[0]!, intercept, r2: rSquared };
}

/** Returns, for each block, the sums of all trials. */
function byBlock(trials: readonly ArrayLike<number>[], blocks: number): Sums[] {
  for (const [trial, each] of trials.entries()) {
    if (each.length !== 2 * blocks) throw new RangeError(`trial ${trial} does not have ${2 * blocks} sums`);
    for (let at = 0; at < each.length; at += 1)
      if (!Number.isFinite(each[at])) throw new RangeError(`a sum of trial ${trial} is not finite`);
  }
  return Array.from({ length: blocks }, (_, block) => ({
    sums: Float64Array.from(trials, (each) => each[block]!),
    squares: Float64Array.from(trials, (each) => each[blocks + block]!),
  }));
}
