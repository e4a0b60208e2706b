import { mean } from '../descriptive.ts';
import { backwardSolve, forwardSolve, lowerCholesky } from '../scenario/lower-cholesky.ts';
import { standardised, type Standardised } from './standardised.ts';

export type Ridge = {
  intercept: number;
  /** In units of the target for a unit of each column. */
  coefficients: Float64Array;
  lambda: number;
  /** Mean squared error of each row told by all others, with this penalty. */
  leaveOneOut: number;
};

/**
 * Ridge regression on standardised columns: minimises mean((y - a - Z b)^2) + lambda |b|^2. Of several penalties that with
 * the smallest leave-one-out error is taken, the first of equals. Null where the equations cannot be solved.
 *
 * Shapes: `x` n-by-k, row by row; `y` n. `lambdas` above 0, without unit.
 * Errors: `RangeError` on shapes that do not go together, and without rows or penalties.
 * Source: Hoerl and Kennard, "Ridge Regression" (1970); leave-one-out errors e / (1 - h) by Golub, Heath and Wahba,
 * "Generalized Cross-Validation" (1979). In scikit-learn the penalty of `Ridge` is alpha = n lambda.
 *
 * Example: x [1, 2, 3], y [2, 4, 6] and lambda 1 have the coefficient 1 and the intercept 2.
 */
export function ridge(x: Float64Array, y: Float64Array, lambdas: readonly number[]): Ridge | null {
  const k = x.length / y.length;
  if (!Number.isSafeInteger(k) || k < 1 || lambdas.length === 0)
    throw new RangeError('rows, targets and penalties do not go together');
  const columns = standardised(x, k);
  const centre = mean(y);
  const off = Float64Array.from(y, (value) => value - centre);
  let best: Ridge | null = null;
  for (const lambda of lambdas) {
    const found = fit(columns, off, k, lambda);
    if (!found) return null;
    if (best && !(found.leaveOneOut < best.leaveOneOut)) continue;
    const coefficients = Float64Array.from(found.slopes, (slope, j) => slope / columns.scales[j]!);
    let intercept = centre;
    for (let j = 0; j < k; j += 1) intercept -= coefficients[j]! * columns.means[j]!;
    best = { intercept, coefficients, lambda, leaveOneOut: found.leaveOneOut };
  }
  return best;
}

function fit({ values: z }: Standardised, off: Float64Array, k: number, lambda: number) {
  const n = off.length;
  const gram = new Float64Array(k * k);
  const right = new Float64Array(k);
  for (let i = 0; i < n; i += 1) {
    for (let a = 0; a < k; a += 1) {
      const value = z[i * k + a]!;
      right[a]! += (value * off[i]!) / n;
      for (let b = 0; b <= a; b += 1) gram[a * k + b]! += (value * z[i * k + b]!) / n;
    }
  }
  for (let a = 0; a < k; a += 1) {
    gram[a * k + a]! += lambda;
    for (let b = 0; b < a; b += 1) gram[b * k + a] = gram[a * k + b]!;
  }
  const lower = lowerCholesky(gram, k);
  if (!lower) return null;
  const slopes = backwardSolve(lower, k, forwardSolve(lower, k, right));
  return { slopes, leaveOneOut: leaveOneOutOf({ z, off, k, lower, slopes }) };
}

function leaveOneOutOf({
  z,
  off,
  k,
  lower,
  slopes,
}: Record<'z' | 'off' | 'lower' | 'slopes', Float64Array> & { k: number }): number {
  const n = off.length;
  let squares = 0;
  for (let i = 0; i < n; i += 1) {
    const row = z.slice(i * k, (i + 1) * k);
    let error = off[i]!;
    for (let j = 0; j < k; j += 1) error -= slopes[j]! * row[j]!;
    let leverage = 1 / n;
    for (const each of forwardSolve(lower, k, row)) leverage += (each * each) / n;
    const left = error / (1 - leverage);
    squares += left * left;
  }
  return squares / n;
}
