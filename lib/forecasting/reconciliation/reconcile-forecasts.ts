import { Matrix } from 'ml-matrix';
import type { Hierarchy, Sum } from '#lib/numerics/reconciliation/hierarchy.ts';
import { bottomUpMatrix, reconcilingMatrix } from '#lib/numerics/reconciliation/reconciling-matrix.ts';
import { shrunkErrorCovariance } from '#lib/numerics/reconciliation/shrunk-error-covariance.ts';
import { checkForecasts } from './check-forecasts.ts';
import { commonErrors, stacked, type ErrorsAtOrigin } from './error-rows.ts';
import { refused, type RefusedReconciliation } from './reconciliation-refusal.ts';
import type {
  ReconciledForecast,
  ReconciliationInput,
  ReconciliationMethod,
  ReconciliationOutput,
} from './reconciliations.schema.ts';
import { indexedSums, requestHierarchy } from './request-hierarchy.ts';
import { errorsOfForecast, type SealedForecast } from './sealed-forecast.ts';

/** The smallest number of errors per forecast from which a covariance is estimated. */
const ERRORS_MIN = 2;

export type Reconciliation =
  | { ok: true; result: ReconciliationOutput }
  | { ok: false; refusal: RefusedReconciliation };

/**
 * Reconciles sealed forecasts so that every total is the sum of its parts. `forecasts` are in the order of the input.
 * Points of parts that cannot be negative are set to 0 before the parts are added up. Pure and deterministic.
 */
export function reconcileForecasts(
  input: ReconciliationInput,
  forecasts: readonly SealedForecast[],
): Reconciliation {
  const checked = checkForecasts(input, forecasts);
  if (!checked.ok) return checked;
  const { sums, method } = input;
  const uids = input.forecasts.map(({ forecast }) => forecast);
  const hierarchy = requestHierarchy(sums, uids);
  const origins = commonErrors(forecasts.map(errorsOfForecast));
  const errors = stacked(origins);
  if (method === 'mint_shrink' && (errors?.rows ?? 0) < ERRORS_MIN) {
    const observed = errors?.rows ?? 0;
    const detail = `The backtests of the forecasts have ${observed} errors in common, but mint_shrink needs ${ERRORS_MIN}. The method wls_structural needs none.`;
    return refused('insufficient_history', detail, '/method', { observed, needed: ERRORS_MIN });
  }
  const shrunk = errors && shrunkErrorCovariance(errors);
  const matrix = matrixOf(method, hierarchy, shrunk?.covariance);
  const base = forecasts.map(({ result }) => result.points);
  const { points, clipped } = coherentPoints(matrix, hierarchy, {
    base,
    nonNegative: forecasts.map((each) => each.input.non_negative),
  });
  const ratios = widthRatios(matrix, shrunk?.covariance);
  const tested = testedErrors(method, hierarchy, origins);
  const isTotal = new Set(hierarchy.order.map(({ total }) => total));
  const { periods, series } = forecasts[0]!.result;
  return {
    ok: true,
    result: {
      frequency: series.frequency,
      unit: series.unit,
      currency: series.currency,
      periods,
      shrinkage: shrunk?.shrinkage ?? null,
      errors: errors?.rows ?? 0,
      largest_gap: largestGaps(indexedSums(sums, uids), base),
      clipped,
      forecasts: input.forecasts.map(({ forecast, metric, company_id }, at) => ({
        forecast,
        metric,
        company_id,
        role: isTotal.has(at) ? 'total' : 'part',
        base_points: base[at]!,
        points: points[at]!,
        intervals: movedIntervals(forecasts[at]!, points[at]!, ratios[at]!),
        width_ratio: ratios[at]!,
        backtest: { base_mae: meanAbsolute(errors, at), mae: meanAbsolute(tested, at) },
      })),
    },
  };
}

function matrixOf(
  method: ReconciliationMethod,
  hierarchy: Hierarchy,
  covariance: Matrix | undefined,
): Matrix {
  const counts = hierarchy.coefficients.map((row) => row.reduce((sum, count) => sum + count, 0));
  switch (method) {
    case 'bottom_up':
      return bottomUpMatrix(hierarchy);
    case 'ols':
      return reconcilingMatrix(hierarchy, Matrix.eye(counts.length));
    case 'wls_structural':
      return reconcilingMatrix(hierarchy, Matrix.diag(counts));
    case 'mint_shrink':
      return reconcilingMatrix(hierarchy, covariance!);
  }
}

type Base = {
  /** The points of the sealed forecasts, by forecast and step. */
  base: readonly (readonly number[])[];
  nonNegative: readonly boolean[];
};

/** Returns the reconciled points by forecast and step. The totals are added up from their parts, in the order of a sum. */
function coherentPoints(matrix: Matrix, { leaves, order }: Hierarchy, { base, nonNegative }: Base) {
  const points = base.map((own) => own.map(() => 0));
  let clipped = 0;
  for (let step = 0; step < base[0]!.length; step += 1) {
    for (const leaf of leaves) {
      let value = 0;
      for (const [at, own] of base.entries()) value += matrix.get(leaf, at) * own[step]!;
      if (value < 0 && nonNegative[leaf]) {
        value = 0;
        clipped += 1;
      }
      points[leaf]![step] = value;
    }
    for (const { total, parts } of order)
      points[total]![step] = parts.reduce((sum, part) => sum + points[part]![step]!, 0);
  }
  return { points, clipped };
}

/** Returns the standard deviation after reconciliation over that before, by forecast. 1 where there are no errors. */
function widthRatios(matrix: Matrix, covariance: Matrix | undefined): number[] {
  if (!covariance) return Array.from({ length: matrix.rows }, () => 1);
  const after = matrix.mmul(covariance).mmul(matrix.transpose()).diagonal();
  return covariance
    .diagonal()
    .map((before, at) => (before > 0 ? Math.sqrt(Math.max(0, after[at]!) / before) : 1));
}

function movedIntervals(
  { input, result }: SealedForecast,
  points: readonly number[],
  ratio: number,
): ReconciledForecast['intervals'] {
  const bounded = (value: number) => (input.non_negative ? Math.max(0, value) : value);
  const moved = (bounds: readonly number[]) =>
    points.map((point, step) => bounded(point + ratio * (bounds[step]! - result.points[step]!)));
  return result.intervals.map(({ level, lower, upper }) => ({
    level,
    lower: moved(lower),
    upper: moved(upper),
  }));
}

/**
 * Returns the errors after reconciliation, where the covariance for an origin comes from the other origins. The
 * actual values of the prepared series are taken to add up, so the errors are reconciled in the same way as the
 * forecasts. Undefined if no other origin has errors.
 */
function testedErrors(
  method: ReconciliationMethod,
  hierarchy: Hierarchy,
  origins: readonly ErrorsAtOrigin[],
): Matrix | undefined {
  return stacked(
    origins.flatMap(({ before, errors }, at) => {
      const others = method === 'mint_shrink' ? stacked(origins.toSpliced(at, 1)) : undefined;
      if (method === 'mint_shrink' && (others?.rows ?? 0) < ERRORS_MIN) return [];
      const matrix = matrixOf(method, hierarchy, others && shrunkErrorCovariance(others).covariance);
      return [{ before, errors: errors.mmul(matrix.transpose()) }];
    }),
  );
}

function meanAbsolute(errors: Matrix | undefined, column: number): number | null {
  if (!errors) return null;
  return errors.getColumn(column).reduce((sum, error) => sum + Math.abs(error), 0) / errors.rows;
}

/** Returns the largest absolute difference between a total and its parts, by step. */
function largestGaps(sums: readonly Sum[], base: readonly (readonly number[])[]): number[] {
  return base[0]!.map((_, step) =>
    Math.max(
      ...sums.map(({ total, parts }) =>
        Math.abs(base[total]![step]! - parts.reduce((sum, part) => sum + base[part]![step]!, 0)),
      ),
    ),
  );
}
