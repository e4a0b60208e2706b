import { ln } from '../natural-log.ts';
import { backwardSolve, forwardSolve, lowerCholesky } from '../scenario/lower-cholesky.ts';
import { standardised } from './standardised.ts';

export type VectorAutoregression = {
  lags: number;
  intercepts: Float64Array;
  /** lags matrices of k-by-k, row by row: what the columns of so many rows ago add to each column. */
  matrices: Float64Array[];
  /** Covariance of the residuals over the rows fitted, k-by-k. */
  covariance: Float64Array;
};

/**
 * Vector autoregression with intercept by least squares: y_t = c + A_1 y_(t-1) + ... + A_p y_(t-p) + u_t. Of the numbers
 * of lags 1 to `lagsMax` that with the lowest Bayesian information criterion on the rows that all of them can use is taken,
 * the first of equals, and fitted to all rows. Null where the equations cannot be solved.
 *
 * Shapes: `values` T-by-k, row by row, in the order of time. Errors: `RangeError` on a number of lags below 1.
 * Source: Lütkepohl, "New Introduction to Multiple Time Series Analysis" (2005), 3.2.1 and 4.3.2: ln det(U'U / T) +
 * ln(T) / T (p k^2 + k).
 */
export function vectorAutoregression(
  values: Float64Array,
  k: number,
  lagsMax: number,
): VectorAutoregression | null {
  if (!Number.isSafeInteger(lagsMax) || lagsMax < 1) throw new RangeError(`not a number of lags: ${lagsMax}`);
  let [chosen, lowest] = [0, Infinity];
  for (let lags = 1; lags <= lagsMax; lags += 1) {
    const found = leastSquares(values, k, { lags, from: lagsMax });
    const criterion = found && informationCriterion(found, k, lags);
    if (criterion === null || !(criterion < lowest)) continue;
    [chosen, lowest] = [lags, criterion];
  }
  return chosen === 0 ? null : (leastSquares(values, k, { lags: chosen, from: chosen })?.model ?? null);
}

/**
 * The row `steps` rows ahead of the last one of `past`, which has at least as many rows as the model has lags.
 * Example: with one lag, intercept 1 and matrix 0.5, the row after 2 is 2 and the one after that 2 again.
 */
export function iterated(model: VectorAutoregression, past: Float64Array, steps: number): Float64Array {
  const k = model.intercepts.length;
  const rows = [...past.subarray(past.length - model.lags * k)];
  for (let step = 0; step < steps; step += 1) {
    const next = Float64Array.from(model.intercepts);
    model.matrices.forEach((matrix, lag) => {
      const at = rows.length - (lag + 1) * k;
      for (let i = 0; i < k; i += 1)
        for (let j = 0; j < k; j += 1) next[i]! += matrix[i * k + j]! * rows[at + j]!;
    });
    rows.push(...next);
  }
  return Float64Array.from(rows.slice(rows.length - k));
}

type Fitted = { model: VectorAutoregression; rows: number };

function leastSquares(
  raw: Float64Array,
  k: number,
  { lags, from }: { lags: number; from: number },
): Fitted | null {
  const { values: z, means, scales } = standardised(raw, k);
  const rows = raw.length / k - from;
  const width = lags * k + 1;
  if (rows <= width) return null;
  const regressors = (t: number, at: number) =>
    at === 0 ? 1 : z[(t - 1 - Math.floor((at - 1) / k)) * k + ((at - 1) % k)]!;
  const gram = new Float64Array(width * width);
  const right = Array.from({ length: k }, () => new Float64Array(width));
  const row = new Float64Array(width);
  for (let t = from; t < from + rows; t += 1) {
    for (let a = 0; a < width; a += 1) row[a] = regressors(t, a);
    for (let a = 0; a < width; a += 1) {
      for (let b = 0; b <= a; b += 1) gram[a * width + b]! += row[a]! * row[b]!;
      for (let i = 0; i < k; i += 1) right[i]![a]! += row[a]! * z[t * k + i]!;
    }
  }
  for (let a = 0; a < width; a += 1)
    for (let b = 0; b < a; b += 1) gram[b * width + a] = gram[a * width + b]!;
  const lower = lowerCholesky(gram, width);
  if (!lower) return null;
  const solved = right.map((each) => backwardSolve(lower, width, forwardSolve(lower, width, each)));
  const covariance = new Float64Array(k * k);
  const residual = new Float64Array(k);
  for (let t = from; t < from + rows; t += 1) {
    for (let i = 0; i < k; i += 1) {
      residual[i] = z[t * k + i]!;
      for (let a = 0; a < width; a += 1) residual[i]! -= solved[i]![a]! * regressors(t, a);
    }
    for (let i = 0; i < k; i += 1)
      for (let j = 0; j < k; j += 1)
        covariance[i * k + j]! += (residual[i]! * scales[i]! * residual[j]! * scales[j]!) / rows;
  }
  return { rows, model: { lags, ...unscaled(solved, { means, scales, lags }), covariance } };
}

/** Intercepts and matrices in the units of the columns. */
function unscaled(
  solved: readonly Float64Array[],
  { means, scales, lags }: { means: Float64Array; scales: Float64Array; lags: number },
) {
  const k = means.length;
  const matrices = Array.from({ length: lags }, (_, lag) => {
    const matrix = new Float64Array(k * k);
    for (let i = 0; i < k; i += 1)
      for (let j = 0; j < k; j += 1)
        matrix[i * k + j] = (solved[i]![1 + lag * k + j]! * scales[i]!) / scales[j]!;
    return matrix;
  });
  const intercepts = Float64Array.from(means, (centre, i) => {
    let intercept = centre + scales[i]! * solved[i]![0]!;
    for (const matrix of matrices) for (let j = 0; j < k; j += 1) intercept -= matrix[i * k + j]! * means[j]!;
    return intercept;
  });
  return { intercepts, matrices };
}

function informationCriterion({ model, rows }: Fitted, k: number, lags: number): number | null {
  const lower = lowerCholesky(model.covariance, k);
  if (!lower) return null;
  let logDeterminant = 0;
  for (let i = 0; i < k; i += 1) logDeterminant += 2 * ln(lower[i * k + i]!);
  return logDeterminant + (ln(rows) / rows) * (lags * k * k + k);
}
