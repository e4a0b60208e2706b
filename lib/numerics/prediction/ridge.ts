import type { Matrix } from 'ml-matrix';
import { mean } from '../descriptive.ts';
import { matrixOf, rowMajor } from '../matrix.ts';
import { backwardSolve, lowerCholesky, solveForward } from '../scenario/lower-cholesky.ts';
import { standardised } from './standardised.ts';

export type Ridge = {
  intercept: number;
  /** Coefficients of the columns, in units of the target per unit of the column. */
  coefficients: Float64Array;
  lambda: number;
  /** Leave-one-out error with this penalty: the mean squared error of each row, predicted from all other rows. */
  leaveOneOut: number;
};

/**
 * Fits a ridge regression on standardised columns: minimises mean((y - a - Z b)^2) + lambda |b|^2. Of several
 * penalties, the penalty with the smallest leave-one-out error is chosen; ties go to the first penalty. Returns null if
 * the equations cannot be solved.
 *
 * Shapes: `x` n-by-k; `y` n. `lambdas` above 0, without unit.
 * Errors: `RangeError` on shapes that do not match, and without rows or penalties.
 * Source: Hoerl and Kennard, "Ridge Regression" (1970); leave-one-out errors e / (1 - h) by Golub, Heath and Wahba,
 * "Generalized Cross-Validation" (1979). In scikit-learn the penalty of `Ridge` is alpha = n lambda.
 *
 * Example: x [[1], [2], [3]], y [2, 4, 6] and lambda 1 have the coefficient 1 and the intercept 2.
 */
export function ridge(x: Matrix, y: Float64Array, lambdas: readonly number[]): Ridge | null {
  const k = x.columns;
  if (x.rows !== y.length || k < 1 || lambdas.length === 0)
    throw new RangeError('the numbers of rows, targets and penalties do not match');
  const columns = standardised(x);
  const centre = mean(y);
  const off = Float64Array.from(y, (value) => value - centre);
  let best: Ridge | null = null;
  for (const lambda of lambdas) {
    const found = fit(columns.values, off, lambda);
    if (!found) return null;
    if (best && !(found.leaveOneOut < best.leaveOneOut)) continue;
    const coefficients = Float64Array.from(found.slopes, (slope, j) => slope / columns.scales[j]!);
    let intercept = centre;
    for (let j = 0; j < k; j += 1) intercept -= coefficients[j]! * columns.means[j]!;
    best = { intercept, coefficients, lambda, leaveOneOut: found.leaveOneOut };
  }
  return best;
}

function fit(z: Matrix, off: Float64Array, lambda: number) {
  const { rows: n, columns: k } = z;
  const sums = new Float64Array(k * k);
  const right = new Float64Array(k);
  for (let i = 0; i < n; i += 1) {
    for (let a = 0; a < k; a += 1) {
      const value = z.get(i, a);
      right[a]! += (value * off[i]!) / n;
      for (let b = 0; b <= a; b += 1) sums[a * k + b]! += (value * z.get(i, b)) / n;
    }
  }
  const penalised = matrixOf(
    k,
    k,
    (a, b) => sums[Math.max(a, b) * k + Math.min(a, b)]! + (a === b ? lambda : 0),
  );
  const lower = lowerCholesky(penalised);
  if (!lower) return null;
  const factor = rowMajor(lower);
  const slopes = backwardSolve(lower, solveForward(factor, k, right));
  return { slopes, leaveOneOut: leaveOneOutOf(z, { off, factor, slopes }) };
}

function leaveOneOutOf(
  z: Matrix,
  { off, factor, slopes }: Record<'off' | 'factor' | 'slopes', Float64Array>,
): number {
  const { rows: n, columns: k } = z;
  const row = new Float64Array(k);
  let squares = 0;
  for (let i = 0; i < n; i += 1) {
    for (let j = 0; j < k; j += 1) row[j] = z.get(i, j);
    let error = off[i]!;
    for (let j = 0; j < k; j += 1) error -= slopes[j]! * row[j]!;
    let leverage = 1 / n;
    for (const each of solveForward(factor, k, row)) leverage += (each * each) / n;
    const left = error / (1 - leverage);
    squares += left * left;
  }
  return squares / n;
}
