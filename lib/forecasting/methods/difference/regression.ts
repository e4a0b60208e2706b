import { solvePositive } from '../solve-positive.ts';

export type Regression = { coefficients: Float64Array; standardErrors: Float64Array; squares: number };

/**
 * Regresses `y` on columns by least squares with the normal equations. The regression has a constant only if a column
 * is constant.
 *
 * Returns undefined if the columns are linearly dependent, or if no degree of freedom is left for the variance.
 */
export function regress(y: Float64Array, columns: readonly Float64Array[]): Regression | undefined {
  const k = columns.length;
  const n = y.length;
  if (n <= k) return undefined;
  const normal = new Float64Array(k * k);
  const right = new Float64Array(k);
  columns.forEach((column, i) => {
    right[i] = dot(column, y);
    columns.forEach((other, j) => (normal[i * k + j] = dot(column, other)));
  });
  const coefficients = new Float64Array(k);
  if (!solvePositive(normal.slice(), k, right, coefficients)) return undefined;
  let squares = 0;
  for (let t = 0; t < n; t++) {
    let error = y[t]!;
    for (let i = 0; i < k; i++) error -= coefficients[i]! * columns[i]![t]!;
    squares += error * error;
  }
  const variance = squares / (n - k);
  const standardErrors = coefficients.map((_, i) => {
    const unit = new Float64Array(k);
    unit[i] = 1;
    const column = new Float64Array(k);
    solvePositive(normal.slice(), k, unit, column);
    return Math.sqrt(variance * column[i]!);
  });
  return { coefficients, standardErrors, squares };
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let t = 0; t < a.length; t++) sum += a[t]! * b[t]!;
  return sum;
}
