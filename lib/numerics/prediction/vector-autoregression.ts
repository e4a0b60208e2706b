import { Matrix } from 'ml-matrix';
import { matrixOf } from '../matrix.ts';
import { ln } from '../natural-log.ts';
import { backwardSolve, forwardSolve, lowerCholesky } from '../scenario/lower-cholesky.ts';
import { standardised } from './standardised.ts';

export type VectorAutoregression = {
  lags: number;
  intercepts: Float64Array;
  /** One k-by-k matrix per lag: the effect of the columns at that lag on each column. */
  matrices: Matrix[];
  /** Covariance of the residuals over the fitted rows, k-by-k. */
  covariance: Matrix;
};

/**
 * Fits a vector autoregression with intercept by least squares: y_t = c + A_1 y_(t-1) + ... + A_p y_(t-p) + u_t. Of the
 * lag orders 1 to `lagsMax`, the order with the lowest Bayesian information criterion is chosen, on the rows that all
 * orders can use. Ties go to the lowest order. The chosen order is then fitted to all rows. Returns null if the
 * equations cannot be solved.
 *
 * Shapes: `values` T-by-k, in time order. Errors: `RangeError` on a number of lags below 1.
 * Source: Lütkepohl, "New Introduction to Multiple Time Series Analysis" (2005), 3.2.1 and 4.3.2: ln det(U'U / T) +
 * ln(T) / T (p k^2 + k).
 */
export function vectorAutoregression(values: Matrix, lagsMax: number): VectorAutoregression | null {
  if (!Number.isSafeInteger(lagsMax) || lagsMax < 1) throw new RangeError(`not a number of lags: ${lagsMax}`);
  let [chosen, lowest] = [0, Infinity];
  for (let lags = 1; lags <= lagsMax; lags += 1) {
    const found = leastSquares(values, { lags, from: lagsMax });
    const criterion = found && informationCriterion(found, lags);
    if (criterion === null || !(criterion < lowest)) continue;
    [chosen, lowest] = [lags, criterion];
  }
  return chosen === 0 ? null : (leastSquares(values, { lags: chosen, from: chosen })?.model ?? null);
}

/**
 * Predicts the row `steps` rows after the last row of `past`. `past` holds at least as many rows as the model has lags,
 * row by row. Example: with one lag, intercept 1 and matrix 0.5, the prediction after a row with the value 2 is 2 for
 * every number of steps.
 */
export function iterated(model: VectorAutoregression, past: Float64Array, steps: number): Float64Array {
  const k = model.intercepts.length;
  const rows = [...past.subarray(past.length - model.lags * k)];
  for (let step = 0; step < steps; step += 1) {
    const next = Float64Array.from(model.intercepts);
    model.matrices.forEach((matrix, lag) => {
      const at = rows.length - (lag + 1) * k;
      for (let i = 0; i < k; i += 1)
        for (let j = 0; j < k; j += 1) next[i]! += matrix.get(i, j) * rows[at + j]!;
    });
    rows.push(...next);
  }
  return Float64Array.from(rows.slice(rows.length - k));
}

type Fitted = { model: VectorAutoregression; rows: number };

function leastSquares(raw: Matrix, { lags, from }: { lags: number; from: number }): Fitted | null {
  const { values: z, means, scales } = standardised(raw);
  const k = raw.columns;
  const rows = raw.rows - from;
  const width = lags * k + 1;
  if (rows <= width) return null;
  const row = new Float64Array(width).fill(1);
  const readRegressors = (t: number) => {
    for (let lag = 0; lag < lags; lag += 1)
      for (let j = 0; j < k; j += 1) row[1 + lag * k + j] = z.get(t - 1 - lag, j);
  };
  const sums = new Float64Array(width * width);
  const right = Array.from({ length: k }, () => new Float64Array(width));
  for (let t = from; t < from + rows; t += 1) {
    readRegressors(t);
    for (let a = 0; a < width; a += 1) {
      for (let b = 0; b <= a; b += 1) sums[a * width + b]! += row[a]! * row[b]!;
      for (let i = 0; i < k; i += 1) right[i]![a]! += row[a]! * z.get(t, i);
    }
  }
  const lower = lowerCholesky(
    matrixOf(width, width, (a, b) => sums[Math.max(a, b) * width + Math.min(a, b)]!),
  );
  if (!lower) return null;
  const solved = right.map((each) => backwardSolve(lower, forwardSolve(lower, each)));
  const covariances = new Float64Array(k * k);
  const residual = new Float64Array(k);
  for (let t = from; t < from + rows; t += 1) {
    readRegressors(t);
    for (let i = 0; i < k; i += 1) {
      residual[i] = z.get(t, i);
      for (let a = 0; a < width; a += 1) residual[i]! -= solved[i]![a]! * row[a]!;
    }
    for (let i = 0; i < k; i += 1)
      for (let j = 0; j < k; j += 1)
        covariances[i * k + j]! += (residual[i]! * scales[i]! * residual[j]! * scales[j]!) / rows;
  }
  const covariance = Matrix.from1DArray(k, k, covariances);
  return { rows, model: { lags, ...unscaled(solved, { means, scales, lags }), covariance } };
}

/** Returns the intercepts and matrices in the units of the columns. */
function unscaled(
  solved: readonly Float64Array[],
  { means, scales, lags }: { means: Float64Array; scales: Float64Array; lags: number },
) {
  const k = means.length;
  const matrices = Array.from({ length: lags }, (_, lag) =>
    matrixOf(k, k, (i, j) => (solved[i]![1 + lag * k + j]! * scales[i]!) / scales[j]!),
  );
  const intercepts = Float64Array.from(means, (centre, i) => {
    let intercept = centre + scales[i]! * solved[i]![0]!;
    for (const matrix of matrices) for (let j = 0; j < k; j += 1) intercept -= matrix.get(i, j) * means[j]!;
    return intercept;
  });
  return { intercepts, matrices };
}

function informationCriterion({ model, rows }: Fitted, lags: number): number | null {
  const lower = lowerCholesky(model.covariance);
  if (!lower) return null;
  const k = lower.rows;
  let logDeterminant = 0;
  for (let i = 0; i < k; i += 1) logDeterminant += 2 * ln(lower.get(i, i));
  return logDeterminant + (ln(rows) / rows) * (lags * k * k + k);
}
