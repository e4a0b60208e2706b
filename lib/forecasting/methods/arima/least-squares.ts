import { solvePositive } from '../solve-positive.ts';

/** A function that fills the residuals at `x` and returns the sum of their squares; Infinity outside the domain. */
export type SumOfSquares = (x: Float64Array, residuals: Float64Array) => number;

/** The search stops when the relative improvement of a step is below `tolerance`, or after `iterations` steps. */
export type LeastSquaresOptions = { residuals: number; tolerance: number; iterations: number };

export type Minimum = { x: Float64Array; value: number };

const STEP = 1e-6;
const DAMPING_MAX = 1e8;

/**
 * Minimises a sum of squares from a start by damped Gauss-Newton steps, with one-sided numeric derivatives.
 *
 * Without parameters, returns the value at the start. If the value at the start is Infinity, so is the result.
 * Source: Marquardt, "An algorithm for least-squares estimation of nonlinear parameters", SIAM Journal 11 (1963):
 * `(J'J + lambda diag(J'J)) step = -J'r`. Lambda is divided by ten after an improvement and multiplied by ten
 * otherwise.
 */
export function leastSquares(
  squares: SumOfSquares,
  start: Float64Array,
  { residuals: n, tolerance, iterations }: LeastSquaresOptions,
): Minimum {
  const k = start.length;
  const x = start.slice();
  const trial = x.slice();
  let current = new Float64Array(n);
  let other = new Float64Array(n);
  const columns = Array.from({ length: k }, () => new Float64Array(n));
  const normal = new Float64Array(k * k);
  const damped = new Float64Array(k * k);
  const gradient = new Float64Array(k);
  const step = new Float64Array(k);
  let value = squares(x, current);
  if (k === 0 || value === Infinity) return { x, value };
  let lambda = 1e-3;
  for (let iteration = 0; iteration < iterations; iteration++) {
    differentiate(squares, x, current, columns, trial);
    normalEquations(columns, current, normal, gradient);
    let gain = 0;
    for (; lambda < DAMPING_MAX; lambda *= 10) {
      damp(normal, k, lambda, damped);
      if (!solvePositive(damped, k, gradient, step)) continue;
      for (let i = 0; i < k; i++) trial[i] = x[i]! - step[i]!;
      const next = squares(trial, other);
      if (!(next < value)) continue;
      gain = (value - next) / value;
      value = next;
      x.set(trial);
      [current, other] = [other, current];
      lambda = Math.max(lambda / 10, 1e-10);
      break;
    }
    if (!(gain > tolerance)) break;
  }
  return { x, value };
}

/** Fills one column of derivatives per parameter. */
function differentiate(
  squares: SumOfSquares,
  x: Float64Array,
  at: Float64Array,
  columns: Float64Array[],
  trial: Float64Array,
): void {
  trial.set(x);
  columns.forEach((column, i) => {
    const h = STEP * (1 + Math.abs(x[i]!));
    trial[i] = x[i]! + h;
    if (squares(trial, column) === Infinity) column.fill(0);
    else for (let t = 0; t < column.length; t++) column[t] = (column[t]! - at[t]!) / h;
    trial[i] = x[i]!;
  });
}

function normalEquations(
  columns: readonly Float64Array[],
  residuals: Float64Array,
  normal: Float64Array,
  gradient: Float64Array,
): void {
  const k = columns.length;
  for (let i = 0; i < k; i++) {
    gradient[i] = dot(columns[i]!, residuals);
    for (let j = 0; j <= i; j++) normal[i * k + j] = dot(columns[i]!, columns[j]!);
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let t = 0; t < a.length; t++) sum += a[t]! * b[t]!;
  return sum;
}

function damp(normal: Float64Array, k: number, lambda: number, out: Float64Array): void {
  out.set(normal);
  let largest = 0;
  for (let i = 0; i < k; i++) largest = Math.max(largest, normal[i * k + i]!);
  for (let i = 0; i < k; i++)
    out[i * k + i] = normal[i * k + i]! + lambda * Math.max(normal[i * k + i]!, 1e-10 * largest);
}
