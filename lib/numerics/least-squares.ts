/** An ordinary least squares regression with an intercept. */
export type LeastSquares = {
  intercept: number;
  /** One slope for each regressor; 0 for a regressor that was dropped. */
  slopes: Float64Array;
  /** Share of the variance explained, from 0 to 1; null if y does not vary. */
  rSquared: number | null;
  /**
   * Residual standard deviation: sqrt(SSR / (n - k - 1)), where k is the number of regressors that were not dropped; 0
   * if no degree of freedom is left.
   */
  deviation: number;
  /** n residuals, in the order of y. */
  residuals: Float64Array;
};

/** A pivot below this share of the variance of its regressor counts as 0. */
const PIVOT_MIN = 1e-10;

/**
 * Returns a function that regresses any y on fixed regressors with an intercept.
 *
 * `columns`: K regressors of n values each. A regressor that does not vary, or that is a linear combination
 * of the regressors before it, is dropped and has the slope 0. Of two equal regressors, the first is kept.
 * Sums run in the order of the values. Throws a `RangeError` if the columns or y differ in length, or if
 * there are no values.
 * Source: normal equations of centred regressors by Cholesky factors; Golub and Van Loan, "Matrix
 * Computations" (2013), section 5.3.2.
 *
 * Example: for x = [1, 2, 3] and y = [3, 5, 7] the intercept is 1 and the slope 2.
 */
export function leastSquares(
  columns: readonly ArrayLike<number>[],
  n: number,
): (y: ArrayLike<number>) => LeastSquares {
  if (n < 1 || columns.some(({ length }) => length !== n))
    throw new RangeError(`each regressor must have ${n} values`);
  const means = columns.map((column) => total(column) / n);
  const centred = columns.map((column, k) => Float64Array.from(column, (value) => value - means[k]!));
  const { kept, lower } = independent(centred);
  return (y) => {
    if (y.length !== n) throw new RangeError(`${y.length} values do not match ${n} values of the regressors`);
    const centre = total(y) / n;
    const own = Float64Array.from(y, (value) => value - centre);
    const solved = solve(
      lower,
      kept.map((k) => product(centred[k]!, own)),
    );
    const slopes = new Float64Array(columns.length);
    for (const [at, k] of kept.entries()) slopes[k] = solved[at]!;
    const residuals = own.slice();
    for (const k of kept) for (let t = 0; t < n; t += 1) residuals[t]! -= slopes[k]! * centred[k]![t]!;
    const [squares, rest] = [product(own, own), product(residuals, residuals)];
    const degrees = n - kept.length - 1;
    let intercept = centre;
    for (const k of kept) intercept -= slopes[k]! * means[k]!;
    return {
      intercept,
      slopes,
      rSquared: squares > 0 ? Math.max(0, 1 - rest / squares) : null,
      deviation: degrees > 0 ? Math.sqrt(rest / degrees) : 0,
      residuals,
    };
  };
}

/**
 * Returns the indices of linearly independent columns, and their Cholesky factor. Of linearly dependent
 * columns, the first are kept.
 */
function independent(centred: readonly Float64Array[]) {
  const kept: number[] = [];
  const rows: number[][] = [];
  for (const [k, column] of centred.entries()) {
    const variance = product(column, column);
    const row: number[] = [];
    let pivot = variance;
    for (const [at, other] of kept.entries()) {
      let each = product(column, centred[other]!);
      for (let j = 0; j < at; j += 1) each -= row[j]! * rows[at]![j]!;
      row.push(each / rows[at]![at]!);
      pivot -= row[at]! * row[at]!;
    }
    if (!(pivot > PIVOT_MIN * variance)) continue;
    rows.push([...row, Math.sqrt(pivot)]);
    kept.push(k);
  }
  return { kept, lower: rows };
}

function solve(lower: readonly number[][], b: number[]): number[] {
  const size = b.length;
  for (let i = 0; i < size; i += 1) {
    for (let k = 0; k < i; k += 1) b[i]! -= lower[i]![k]! * b[k]!;
    b[i]! /= lower[i]![i]!;
  }
  for (let i = size - 1; i >= 0; i -= 1) {
    for (let k = i + 1; k < size; k += 1) b[i]! -= lower[k]![i]! * b[k]!;
    b[i]! /= lower[i]![i]!;
  }
  return b;
}

function product(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let t = 0; t < one.length; t += 1) sum += one[t]! * other[t]!;
  return sum;
}

function total(values: ArrayLike<number>): number {
  let sum = 0;
  for (let t = 0; t < values.length; t += 1) sum += values[t]!;
  return sum;
}
