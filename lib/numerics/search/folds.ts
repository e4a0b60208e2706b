/** Half-open ranges of sessions: `from` is in the range, `to` is not. */
export type Range = { from: number; to: number };
export type Fold = { train: Range; test: Range };

export type FoldTerms = {
  /** Number of sessions. */
  sessions: number;
  /** Sessions between the end of a training range and its test range: lag plus embargo. Default 0. */
  purge?: number;
  /**
   * Whether all training ranges begin where the first training range begins, so that each range is longer than the
   * previous range. Default false.
   */
  anchored?: boolean;
  /**
   * Number of sessions of a training range, of a test range, and from the start of one test range to the
   * start of the next (`step`, default: `test`).
   */
  train?: number;
  test?: number;
  step?: number;
};

export type Folds =
  | { ok: true; folds: Fold[] }
  | { ok: false; reason: 'folds_insufficient'; sessions: number; needed: number }
  | { ok: false; reason: 'too_many_folds'; folds: number; most: number };

/**
 * Defaults: 5 folds, a training range three times as long as the test range, and test ranges of at least 21
 * sessions.
 */
export const FOLD_DEFAULTS = { folds: 5, trainPerTest: 3, testMin: 21 } as const;
/** The largest number of folds. */
export const FOLDS_MAX = 200;

/**
 * Returns the folds of a walk-forward evaluation, oldest first. The last test range ends with the last session; the
 * remaining sessions precede the first training range and are not used. Test ranges overlap if the step is below
 * `test`.
 *
 * If `train` and `test` are both missing, there are 5 folds that are as long as possible, with a training range of 3 x
 * `test`. If only `train` is missing, it is 3 x `test`. If only `test` is missing, it is a third of `train`, rounded, 1
 * or more. Refusals: too few sessions for one fold (by default: for 5 folds with 21 test sessions each), and more than
 * 200 folds.
 * Errors: `RangeError` on a number that is not an integer, `train`, `test` or `step` below 1, and `sessions` or `purge`
 * below 0.
 * Source: purged walk-forward evaluation; Lopez de Prado, "Advances in Financial Machine Learning" (2018), section 7.4.
 *
 * Example: 10 sessions with train 4, test 2 and purge 1 give [1, 5) with [6, 8), and [3, 7) with [8, 10).
 */
export function foldsOf({ sessions, purge = 0, anchored = false, ...sizes }: FoldTerms): Folds {
  checkCount('sessions', sessions, 0);
  checkCount('purge', purge, 0);
  for (const key of ['train', 'test', 'step'] as const)
    if (sizes[key] !== undefined) checkCount(key, sizes[key], 1);
  const { train, test, fewest } = lengths({ sessions, purge, ...sizes });
  const step = sizes.step ?? test;
  const one = train + purge + test;
  const needed = one + (fewest - 1) * step;
  if (sessions < needed) return { ok: false, reason: 'folds_insufficient', sessions, needed };
  const count = fewest > 1 ? fewest : Math.floor((sessions - one) / step) + 1;
  if (count > FOLDS_MAX) return { ok: false, reason: 'too_many_folds', folds: count, most: FOLDS_MAX };
  const first = sessions - one - (count - 1) * step;
  const folds = Array.from({ length: count }, (_, fold) => {
    const from = first + fold * step;
    const end = from + train;
    return {
      train: { from: anchored ? first : from, to: end },
      test: { from: end + purge, to: end + purge + test },
    };
  });
  return { ok: true, folds };
}

/** Returns the lengths of the ranges, and the fewest folds that are needed. */
function lengths({ sessions, purge, train, test, step }: FoldTerms & { purge: number }) {
  const { folds, trainPerTest, testMin } = FOLD_DEFAULTS;
  if (test !== undefined) return { train: train ?? trainPerTest * test, test, fewest: 1 };
  if (train !== undefined)
    return { train, test: Math.max(1, Math.floor(train / trainPerTest + 0.5)), fewest: 1 };
  const rest = sessions - purge - (step === undefined ? 0 : (folds - 1) * step);
  const parts = step === undefined ? trainPerTest + folds : trainPerTest + 1;
  const length = Math.max(testMin, Math.floor(rest / parts));
  return { train: trainPerTest * length, test: length, fewest: folds };
}

function checkCount(name: string, value: number, min: number): void {
  if (Number.isSafeInteger(value) && value >= min) return;
  throw new RangeError(`${name} must be an integer of ${min} or more, got ${value}`);
}
