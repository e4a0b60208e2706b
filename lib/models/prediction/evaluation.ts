import { mean } from '#lib/numerics/descriptive.ts';
import { dieboldMariano } from '#lib/numerics/comparison/diebold-mariano.ts';
import { contenders } from '#lib/models/registry/prediction-evaluation.schema.ts';
import type { EvaluationInput } from '#lib/models/registry/model-run.schema.ts';
import type { PredictionTask } from '#lib/models/registry/prediction.schema.ts';
import type { Static } from 'typebox';
import { naiveBaseline } from './baseline.ts';
import { confidenceSet } from './confidence-set.ts';
import { fitterOf } from './model.ts';
import { rowsBefore, withColumns, type Series } from './series.ts';
import { walkForward } from './walk-forward.ts';

/** Number of times that the model is refitted during the evaluation on the held-out rows. */
const REFITS = 5;
/** p-value up to which a smaller error of an approved version counts as significant. */
const BETTER_P = 0.05;

type Input = Static<typeof EvaluationInput> & { prediction: PredictionTask };

/**
 * Evaluates out-of-sample predictions of the last rows. Compares them with the naive baseline that had the
 * smaller error on the earlier rows. If a version is approved, also compares them with predictions of that
 * version for the same rows. The evaluation passes if the mean squared error is at most the mean squared
 * error of the baseline, and if the approved version is not significantly better. Returns null if a fit
 * fails.
 */
export function evaluatePrediction(series: Series, input: Input) {
  const { prediction: task, holdout_share: share, approved } = input;
  const own = walkForward(series, task, { share, blocks: REFITS, fit: fitterOf(task) });
  const served = approved
    ? walkForward(withColumns(series, approved.factors), task, {
        share,
        blocks: REFITS,
        fit: fitterOf(approved.prediction),
      })
    : null;
  if (!own || (approved && !served)) return null;
  const { kind } = naiveBaseline(rowsBefore(series, own.fittedRows), task);
  const naive = kind === 'mean' ? own.means : own.lastValues;
  const errorsOf = (predicted: Float64Array) => own.actual.map((value, at) => value - predicted[at]!);
  const errors = errorsOf(own.predicted);
  const baseline = errorsOf(naive);
  const other = served && errorsOf(served.predicted);
  const sizes = sizesOf(errors);
  const [squared, squaredBaseline] = [meanSquares(errors), meanSquares(baseline)];
  const againstOther = other && compare(errors, other, task.horizon);
  const isBetter =
    other !== null && meanSquares(other) < squared && againstOther !== null && againstOther <= BETTER_P;
  const rows = [errors, baseline, ...(other ? [other] : [])];
  return {
    passed: squared <= squaredBaseline && !isBetter,
    checkpoint_hash: input.checkpoint_hash,
    fitted_rows: own.fittedRows,
    held_out_rows: errors.length,
    refits: REFITS,
    ...sizes,
    skill: squaredBaseline > 0 ? 1 - squared / squaredBaseline : null,
    baseline: { kind, ...sizesOf(baseline) },
    difference_p_value: compare(errors, baseline, task.horizon),
    approved:
      approved && other
        ? {
            version: approved.version,
            version_uid: approved.version_uid,
            ...sizesOf(other),
            difference_p_value: againstOther,
          }
        : null,
    confidence_set: confidenceSet(rows, contenders, task.horizon),
  };
}

function sizesOf(errors: Float64Array) {
  return { rmse: Math.sqrt(meanSquares(errors)), mae: mean(errors.map(Math.abs)) };
}

function meanSquares(errors: Float64Array): number {
  return mean(errors.map((error) => error * error));
}

/**
 * Returns the two-sided p-value of the hypothesis that the squared errors are equal; null if the errors do not differ.
 */
function compare(one: Float64Array, other: Float64Array, horizon: number): number | null {
  const test = dieboldMariano(one, other, {
    horizon: Math.max(1, horizon),
    power: 2,
    variance: 'acf',
    alternative: 'two.sided',
  });
  return test.ok ? test.p : null;
}
