import { dieboldMariano } from '#lib/numerics/comparison/diebold-mariano.ts';
import type { PredictionCheckpoint } from '#lib/models/registry/prediction.schema.ts';
import type { DatedRows, PerformanceFindings } from '../drift/drift-performance.ts';
import { driftThresholds } from '../drift/drift-rule.ts';
import { meanSquare } from './baseline.ts';
import { predict } from './model.ts';
import { columnOf, type Series } from './series.ts';

/**
 * Checks whether the checkpoint performs on new rows as well as when it was accepted. By the Diebold-Mariano test, its
 * squared errors must not be significantly larger than the squared errors of the baseline of its training (the mean or
 * the last value).
 */
export function predictionPerformance(
  checkpoint: PredictionCheckpoint,
  current: DatedRows,
): PerformanceFindings {
  const { horizon, baseline, target } = checkpoint;
  const inOrder = byDay(current, checkpoint.factors);
  if (!inOrder.ok) return notObservable(inOrder.reason);
  const values = columnOf(inOrder.series, target);
  const predicted = predict(checkpoint.parameters, inOrder.series, checkpoint);
  const actual = values.slice(horizon);
  const from = predicted.findIndex((value) => !Number.isNaN(value));
  if (from < 0 || actual.length - from < 2) return notObservable('values_missing');
  const own = actual.slice(from).map((value, at) => value - predicted[from + at]!);
  const naive = actual
    .slice(from)
    .map((value, at) => value - (baseline.kind === 'mean' ? baseline.mean : values[from + at]!));
  const [error, baselineError] = [own, naive].map((errors) => Math.sqrt(meanSquare(errors, (each) => each)));
  if (!Number.isFinite(error!) || !Number.isFinite(baselineError!))
    return notObservable('density_not_finite');
  const test = dieboldMariano(own, naive, {
    horizon: Math.max(1, horizon),
    power: 2,
    variance: 'acf',
    alternative: 'two.sided',
  });
  const isWorse = error! > baselineError! && test.ok && test.p <= driftThresholds.performance_p;
  return {
    state: isWorse ? 'worse' : 'as_accepted',
    reason: null,
    log_score: null,
    baseline_log_score: null,
    rmse: error!,
    baseline_rmse: baselineError!,
    difference_p_value: test.ok ? test.p : null,
  };
}

/** Returns the predictions of the checkpoint for rows in any order; NaN for a row with a missing value. */
export function predictionsOn(checkpoint: PredictionCheckpoint, { days, values }: DatedRows): Float64Array {
  const k = checkpoint.factors.length;
  const order = days
    .map((day, at) => ({ day: day ?? '', at }))
    .sort((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : one.at - other.at));
  const sorted = Float64Array.from(order.flatMap(({ at }) => [...values.subarray(at * k, (at + 1) * k)]));
  const series = { factors: checkpoint.factors, days: order.map(({ day }) => day), values: sorted };
  return predict(checkpoint.parameters, series, checkpoint);
}

type InOrder = { ok: true; series: Series } | { ok: false; reason: PerformanceFindings['reason'] };

function byDay({ days, values }: DatedRows, factors: readonly string[]): InOrder {
  const k = factors.length;
  const rows = days.flatMap((day, at) => (day === null ? [] : [{ day, at }]));
  if (rows.length === 0 || rows.length < days.length) return { ok: false, reason: 'days_missing' };
  rows.sort((one, other) => (one.day < other.day ? -1 : Number(one.day > other.day)));
  if (rows.some(({ day }, at) => at > 0 && day === rows[at - 1]!.day))
    return { ok: false, reason: 'days_repeated' };
  if (values.some(Number.isNaN)) return { ok: false, reason: 'values_missing' };
  const inOrder = Float64Array.from(rows.flatMap(({ at }) => [...values.subarray(at * k, (at + 1) * k)]));
  return { ok: true, series: { factors, days: rows.map(({ day }) => day), values: inOrder } };
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
