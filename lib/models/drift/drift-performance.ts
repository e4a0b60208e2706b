import { Matrix } from 'ml-matrix';
import { addMonths, monthOf } from '#lib/core/date.ts';
import { dieboldMariano } from '#lib/numerics/comparison/diebold-mariano.ts';
import { infer, type Observations, type RegimeModel } from '#lib/numerics/regime/hidden-markov.ts';
import { fitRegimes } from '#lib/numerics/regime/regime-em.ts';
import { startProbabilities } from '#lib/numerics/regime/regime-start.ts';
import type { Checkpoint } from '#lib/models/registry/checkpoint.schema.ts';
import { driftThresholds, type Performance } from './drift-rule.ts';

/** Rows of factor values, each with its day. A missing value is NaN. A missing day is null. */
export type DatedRows = { days: (string | null)[]; values: Float64Array };

export const performanceReasons = [
  'days_missing',
  'months_not_in_sequence',
  'values_missing',
  'density_not_finite',
  'days_repeated',
] as const;

export type PerformanceFindings = {
  state: Performance;
  /** Reason why performance cannot be measured; null if it can be measured. */
  reason: (typeof performanceReasons)[number] | null;
  log_score: number | null;
  baseline_log_score: number | null;
  /** Root mean squared prediction error. Only for models that predict a target. */
  rmse?: number;
  baseline_rmse?: number;
  difference_p_value: number | null;
};

/**
 * Checks whether the checkpoint performs on new months as well as when it was accepted. By the
 * Diebold-Mariano test, its mean one-step-ahead log score must not be significantly below the score of one
 * normal distribution fitted to the reference. The filter starts from the long-run shares of the regimes.
 *
 * Source of the score: Good, "Rational Decisions" (1952).
 */
export function performanceOn(
  checkpoint: Checkpoint,
  reference: Float64Array,
  current: DatedRows,
): PerformanceFindings {
  const dimensions = checkpoint.factors.length;
  const inOrder = byMonth(current, dimensions);
  if (!inOrder.ok) return notObservable(inOrder.reason);
  const whole: Observations = { rows: inOrder.values, dimensions };
  const past: Observations = { rows: reference, dimensions };
  const baseline = fitRegimes(past, startProbabilities(past, []));
  const [own, plain] = [modelOf(checkpoint), baseline?.model].map((model) => model && infer(model, whole));
  const [scores, others] = [own?.logDensities, plain?.logDensities];
  if (!scores?.every(Number.isFinite) || !others?.every(Number.isFinite))
    return notObservable('density_not_finite');
  const meanOf = (of: Float64Array) => of.reduce((total, each) => total + each, 0) / of.length;
  const [score, baselineScore] = [meanOf(scores), meanOf(others)];
  // The test takes the absolute values of its errors. The losses are shifted to at least 0, so that their absolute
  // values are the losses themselves.
  const highest = [...scores, ...others].reduce((max, each) => Math.max(max, each));
  const losses = (of: Float64Array) => of.map((each) => highest - each);
  const test = dieboldMariano(losses(scores), losses(others), {
    horizon: 1,
    power: 1,
    variance: 'acf',
    alternative: 'two.sided',
  });
  const isWorse = score < baselineScore && test.ok && test.p <= driftThresholds.performance_p;
  return {
    state: isWorse ? 'worse' : 'as_accepted',
    reason: null,
    log_score: score,
    baseline_log_score: baselineScore,
    difference_p_value: test.ok ? test.p : null,
  };
}

function notObservable(reason: PerformanceFindings['reason']): PerformanceFindings {
  return {
    state: 'not_observable',
    reason,
    log_score: null,
    baseline_log_score: null,
    difference_p_value: null,
  };
}

type InOrder = { ok: true; values: Float64Array } | { ok: false; reason: PerformanceFindings['reason'] };

/**
 * Returns the rows ordered by day if each month between the first and the last has exactly one row, otherwise the
 * reason why the rows cannot be used.
 */
function byMonth({ days, values }: DatedRows, dimensions: number): InOrder {
  const rows = days.flatMap((day, at) =>
    day === null ? [] : [{ day, values: values.subarray(at * dimensions, (at + 1) * dimensions) }],
  );
  if (rows.length === 0 || rows.length < days.length) return { ok: false, reason: 'days_missing' };
  rows.sort((one, other) => (one.day < other.day ? -1 : Number(one.day > other.day)));
  const isNext = (at: number) => monthOf(rows[at]!.day) === addMonths(monthOf(rows[at - 1]!.day), 1);
  if (!rows.every((_, at) => at === 0 || isNext(at))) return { ok: false, reason: 'months_not_in_sequence' };
  if (values.some(Number.isNaN)) return { ok: false, reason: 'values_missing' };
  return { ok: true, values: Float64Array.from(rows.flatMap((row) => [...row.values])) };
}

function modelOf({ regimes, stationary, transitions }: Checkpoint): RegimeModel {
  return {
    initial: Float64Array.from(stationary),
    transitions: new Matrix(transitions),
    means: regimes.map(({ means }) => Float64Array.from(means)),
    covariances: regimes.map(({ covariance }) => new Matrix(covariance)),
  };
}
