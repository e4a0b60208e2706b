import { leastSquares } from '#lib/numerics/least-squares.ts';
import { varies } from '#lib/numerics/risk/varies.ts';
import type { TrialRow } from './trial-layout.ts';

/**
 * Returns the number of the feasible trial with the largest value (the first of equal trials); null if no
 * trial is feasible.
 */
export function bestTrial(
  rows: readonly TrialRow[],
  valueOf: (row: TrialRow) => { value: number; isFeasible: boolean },
) {
  let best: number | null = null;
  let most = -Infinity;
  for (const [at, row] of rows.entries()) {
    const { value, isFeasible } = valueOf(row);
    if (isFeasible && value > most) [best, most] = [at, value];
  }
  return best;
}

/** The choice of a fold: the best feasible trial in training, and its objectives. */
export type FoldChoice = { trial: number; train: number; test: number; rank: number } | null;

/**
 * Returns the choice of each fold. `rank` is the share of the simulated trials whose test objective is at most the test
 * objective of the choice.
 */
export function foldChoices(rows: readonly TrialRow[], folds: number): FoldChoice[] {
  return Array.from({ length: folds }, (_, fold) => {
    const trial = bestTrial(rows, ({ folds: of }) => ({
      value: of[fold]!.train,
      isFeasible: of[fold]!.isFeasible,
    }));
    if (trial === null) return null;
    const { train, test } = rows[trial]!.folds[fold]!;
    const others = rows.filter(({ isSimulated }) => isSimulated).map(({ folds: of }) => of[fold]!.test);
    const beaten = others.filter((other) => !(other > test)).length;
    return { trial, train, test, rank: others.length === 0 ? 0 : beaten / others.length };
  });
}

/**
 * Returns the slope of a regression of the test objectives on the training objectives; null with fewer than
 * three folds or equal training objectives.
 */
export function degradation(choices: readonly FoldChoice[]): number | null {
  const known = choices.filter(
    (each) => each !== null && Number.isFinite(each.train) && Number.isFinite(each.test),
  );
  const train = known.map((each) => each!.train);
  if (known.length < 3 || !varies(train)) return null;
  return leastSquares([train], train.length)(known.map((each) => each!.test)).slopes[0]!;
}
