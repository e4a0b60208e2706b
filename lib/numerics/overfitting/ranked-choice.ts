import type { Sums } from './each-split.ts';

/** The trial that is chosen in one half of the blocks, and its result in the other half. */
export type RankedChoice = {
  trial: number;
  /** Per-period Sharpe ratios of the trial in the half in which the trial was chosen, and in the other half. */
  train: number;
  test: number;
  /** Rank of the trial in the other half: 1 for the lowest ratio, averaged over ties. */
  rank: number;
};

/**
 * The trial chosen in the first half and ranked in the second half, and the trial chosen in the second half and ranked
 * in the first half.
 */
export type Split = { first: RankedChoice; second: RankedChoice };

/** Relative rounding error of a double. */
const EPSILON = 1 / 4503599627370496;

/**
 * Returns a function that chooses the trial with the largest Sharpe ratio in each of two halves, and ranks it in the
 * other half.
 *
 * `trials`: N, 1 or more; `returns`: number n of returns in a half, 2 or more. A ratio is (s / n) / sqrt((q - s^2 / n)
 * / (n - 1)), with the sum s and the sum of squares q of the returns. If q - s^2 / n is not above its rounding error,
 * the ratio is 0. The first of equal ratios is chosen.
 */
export function rankedChoice(trials: number, returns: number): (first: Sums, second: Sums) => Split {
  const [one, other] = [new Float64Array(trials), new Float64Array(trials)];
  return (first, second) => {
    const [chosen, chosenBySecond] = [ratios(first, returns, one), ratios(second, returns, other)];
    return {
      first: rankOf(chosen, { train: one, test: other }),
      second: rankOf(chosenBySecond, { train: other, test: one }),
    };
  };
}

/** Writes the ratios of all trials to `out`, and returns the first trial with the largest ratio. */
function ratios({ sums, squares }: Sums, n: number, out: Float64Array): number {
  let best = 0;
  for (let trial = 0; trial < out.length; trial += 1) {
    const sum = sums[trial]!;
    const square = squares[trial]!;
    const average = sum / n;
    const spread = square - sum * average;
    const ratio = spread > n * EPSILON * square ? average / Math.sqrt(spread / (n - 1)) : 0;
    out[trial] = ratio;
    if (ratio > out[best]!) best = trial;
  }
  return best;
}

function rankOf(trial: number, { train, test }: { train: Float64Array; test: Float64Array }): RankedChoice {
  const own = test[trial]!;
  let [below, equal] = [0, 0];
  for (let at = 0; at < test.length; at += 1) {
    if (test[at]! < own) below += 1;
    else if (test[at] === own) equal += 1;
  }
  return { trial, train: train[trial]!, test: own, rank: below + (equal + 1) / 2 };
}
