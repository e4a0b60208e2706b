import { dot } from '../dot-product.ts';
import { denseCholesky, solveCholesky } from './dense-cholesky.ts';
import { valueOf, type LinearRange } from './linear-range.ts';

/**
 * A strictly convex quadratic programme: minimise x'Gx / 2 + g'x subject to lower <= x <= upper and to the
 * linear constraints `rows`.
 *
 * `matrix` is G, n-by-n, row-major, symmetric; `factor` is its lower Cholesky factor; `linear` is g.
 */
export type QuadraticProgram = {
  size: number;
  matrix: Float64Array;
  factor: Float64Array;
  linear: Float64Array;
  lower: Float64Array;
  upper: Float64Array;
  rows: readonly LinearRange[];
};

/**
 * The bound at which each constraint binds: -1 for the lower bound, 1 for the upper bound, 0 if the
 * constraint does not bind. Equations have -1.
 */
export type ActiveSet = { bounds: Int8Array; rows: Int8Array };

/**
 * A point with the multipliers of its constraints. A multiplier is the derivative of the minimum of the
 * objective with respect to the binding bound: at least 0 for a lower bound, at most 0 for an upper bound.
 */
export type KktPoint = { x: Float64Array; rowMultipliers: Float64Array; boundMultipliers: Float64Array };

/**
 * Returns the stationary point of the programme at which exactly the constraints of the active set bind. The
 * point may violate other constraints. Variables at a bound are eliminated, and the rows are solved by their
 * Schur complement.
 *
 * Returns null if the binding rows are linearly dependent over the free variables.
 * Source: Nocedal and Wright, "Numerical Optimization" (2006), equations 16.5 and 16.13.
 */
export function solveOnActiveSet(program: QuadraticProgram, active: ActiveSet): KktPoint | null {
  const { size, matrix, linear, lower, upper, rows } = program;
  const x = new Float64Array(size);
  const free: number[] = [];
  for (let i = 0; i < size; i += 1) {
    if (active.bounds[i] === 0) free.push(i);
    else x[i] = active.bounds[i]! < 0 ? lower[i]! : upper[i]!;
  }
  const binding: number[] = [];
  for (let k = 0; k < rows.length; k += 1) if (active.rows[k] !== 0) binding.push(k);
  if (binding.length > free.length) return null;

  const factor = factorOfFree(program, free);
  if (!factor) return null;
  const fixed = gradientAt(matrix, linear, x);
  const count = free.length;
  const start = new Float64Array(count);
  for (let a = 0; a < count; a += 1) start[a] = -fixed[free[a]!]!;
  solveCholesky(factor, count, start);

  const place = new Int32Array(size).fill(-1);
  for (let a = 0; a < count; a += 1) place[free[a]!] = a;
  const dense = binding.map((k) => onFree(rows[k]!, place, count));
  const columns = dense.map((row) => solveCholesky(factor, count, row.slice()));
  const y = schurMultipliers(program, active, { binding, dense, columns, start, x });
  if (!y) return null;

  for (let a = 0; a < count; a += 1) {
    let value = start[a]!;
    for (let k = 0; k < binding.length; k += 1) value += columns[k]![a]! * y[k]!;
    x[free[a]!] = value;
  }
  const rowMultipliers = new Float64Array(rows.length);
  binding.forEach((k, at) => (rowMultipliers[k] = y[at]!));
  const boundMultipliers = reducedGradient(program, x, rowMultipliers);
  for (const i of free) boundMultipliers[i] = 0;
  return { x, rowMultipliers, boundMultipliers };
}

/** Returns Gx + g. Zero elements of x are skipped, because most weights are zero. */
export function gradientAt(matrix: Float64Array, linear: Float64Array, x: Float64Array): Float64Array {
  const size = x.length;
  const gradient = linear.slice();
  for (let j = 0; j < size; j += 1) {
    const value = x[j]!;
    if (value === 0) continue;
    const row = j * size;
    for (let i = 0; i < size; i += 1) gradient[i]! += matrix[row + i]! * value;
  }
  return gradient;
}

/**
 * Returns Gx + g minus the sum of the rows times their multipliers. At a stationary point, the result is the
 * multipliers of the bounds.
 */
export function reducedGradient(
  { matrix, linear, rows }: QuadraticProgram,
  x: Float64Array,
  rowMultipliers: Float64Array,
): Float64Array {
  const gradient = gradientAt(matrix, linear, x);
  rows.forEach(({ index, value }, k) => {
    const multiplier = rowMultipliers[k]!;
    if (multiplier === 0) return;
    for (let at = 0; at < index.length; at += 1) gradient[index[at]!]! -= value[at]! * multiplier;
  });
  return gradient;
}

function factorOfFree({ size, matrix, factor }: QuadraticProgram, free: readonly number[]) {
  const count = free.length;
  if (count === size) return factor;
  const part = new Float64Array(count * count);
  for (let a = 0; a < count; a += 1) {
    const row = free[a]! * size;
    for (let b = 0; b <= a; b += 1) part[a * count + b] = matrix[row + free[b]!]!;
  }
  const verdict = denseCholesky(part, count);
  return verdict.ok ? verdict.lower : null;
}

function onFree({ index, value }: LinearRange, place: Int32Array, count: number): Float64Array {
  const row = new Float64Array(count);
  for (let k = 0; k < index.length; k += 1) {
    const at = place[index[k]!]!;
    if (at >= 0) row[at] = value[k]!;
  }
  return row;
}

type Reduced = {
  binding: readonly number[];
  dense: readonly Float64Array[];
  columns: readonly Float64Array[];
  start: Float64Array;
  x: Float64Array;
};

/**
 * Solves the Schur complement system (A F^-1 A') y = b - A s - A x for the multipliers y of the binding rows.
 * F is the block of G over the free variables, and s is `start`. `x` has the variables at a bound, and 0 for
 * the free variables.
 */
function schurMultipliers(
  { rows }: QuadraticProgram,
  active: ActiveSet,
  { binding, dense, columns, start, x }: Reduced,
): Float64Array | null {
  const count = binding.length;
  const schur = new Float64Array(count * count);
  const y = new Float64Array(count);
  for (let k = 0; k < count; k += 1) {
    const row = rows[binding[k]!]!;
    for (let l = 0; l <= k; l += 1) schur[k * count + l] = dot(dense[k]!, columns[l]!);
    const side = active.rows[binding[k]!]! < 0 ? row.min : row.max;
    y[k] = side - valueOf(row, x) - dot(dense[k]!, start);
  }
  const verdict = denseCholesky(schur, count);
  return verdict.ok ? solveCholesky(verdict.lower, count, y) : null;
}
