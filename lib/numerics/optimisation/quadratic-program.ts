import type { ActiveSet, KktPoint, QuadraticProgram } from './active-set.ts';
import { guessActiveSet } from './active-set-guess.ts';
import { dualActiveSet } from './dual-active-set.ts';
import { kktResidual } from './kkt-residual.ts';

export type { ActiveSet, QuadraticProgram } from './active-set.ts';

/**
 * Maximum residual of the optimality conditions at a solution. A point with a larger residual is not an
 * optimum.
 */
const RESIDUAL_MAX = 1e-6;

export type QuadraticSolution = KktPoint & {
  active: ActiveSet;
  /** The largest violation of the conditions of optimality. */
  kktResidual: number;
  steps: number;
};

export type QuadraticVerdict =
  | { ok: true; solution: QuadraticSolution }
  | { ok: false; reason: 'infeasible' | 'not_solved' };

/**
 * Solves a strictly convex quadratic programme: minimise x'Gx / 2 + g'x subject to bounds and rows with two
 * bounds. The minimum is unique. It is computed from its active set, so the result does not depend on the
 * steps before.
 *
 * Two methods find the active set: the primal-dual active set method, and, if it finds no solution, the dual
 * method of Goldfarb and Idnani, which always ends. `start` is the first active set. `infeasible`: no point
 * satisfies the constraints; `explainConflict` explains why. `not_solved`: the step limit was reached, or the
 * conditions of optimality do not hold within 1e-6.
 * Errors: `RangeError` on sizes that differ and on NaN.
 *
 * Example: minimising (x1^2 + 2 x2^2) / 2 with x1 + x2 = 1 and x >= 0 gives x = [2/3, 1/3]. The multiplier of
 * the row is 2/3.
 */
export function quadraticProgram(program: QuadraticProgram, start?: ActiveSet): QuadraticVerdict {
  assertProgram(program);
  if (hasCrossedSides(program)) return { ok: false, reason: 'infeasible' };
  const guess = guessActiveSet(program, start);
  if (guess) return conclude(program, guess.point, guess.active, guess.steps);
  const found = dualActiveSet(program);
  if (!found.ok) return { ok: false, reason: found.reason === 'infeasible' ? 'infeasible' : 'not_solved' };
  const refined = guessActiveSet(program, found.active);
  if (refined) return conclude(program, refined.point, refined.active, found.steps + refined.steps);
  return conclude(program, found.point, found.active, found.steps);
}

/**
 * Moves variables that are slightly outside their bounds to the bounds, and checks the residual of the
 * optimality conditions.
 */
function conclude(
  program: QuadraticProgram,
  point: KktPoint,
  active: ActiveSet,
  steps: number,
): QuadraticVerdict {
  const { lower, upper } = program;
  const x = point.x.map((value, i) => Math.min(Math.max(value, lower[i]!), upper[i]!) + 0);
  const residual = kktResidual(program, { ...point, x });
  if (!(residual <= RESIDUAL_MAX)) return { ok: false, reason: 'not_solved' };
  return { ok: true, solution: { ...point, x, active, kktResidual: residual, steps } };
}

function assertProgram({ size, matrix, factor, linear, lower, upper, rows }: QuadraticProgram): void {
  const sizes = [matrix.length / size, factor.length / size, linear.length, lower.length, upper.length];
  if (size < 1 || sizes.some((each) => each !== size))
    throw new RangeError('the sizes of the programme differ');
  for (let i = 0; i < size; i += 1) {
    if (Number.isNaN(lower[i]! + linear[i]! - upper[i]!)) throw new RangeError(`variable ${i} has NaN`);
  }
  rows.forEach(({ min, max, index, value }, k) => {
    if (Number.isNaN(min) || Number.isNaN(max) || index.length !== value.length || value.some(Number.isNaN))
      throw new RangeError(`row ${k} has NaN or sizes that differ`);
  });
}

/** Whether any lower bound is above its upper bound. No point can satisfy both bounds. */
function hasCrossedSides({ lower, upper, rows }: QuadraticProgram): boolean {
  return lower.some((low, i) => low > upper[i]!) || rows.some(({ min, max }) => min > max);
}
