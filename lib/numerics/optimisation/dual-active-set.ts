import type { ActiveSet, KktPoint, QuadraticProgram } from './active-set.ts';
import { invertLower, solveCholesky } from './dense-cholesky.ts';
import { activeFactors, type ActiveFactors } from './active-factors.ts';
import { lengthOf, valueOf, type LinearRange } from './linear-range.ts';

/**
 * Tolerance of a constraint, relative to the size of its bound. A constraint violated by less counts as
 * satisfied.
 */
const DISTANCE = 1e-12;
/**
 * Tolerance of a constraint that is linearly dependent on the binding constraints. The tolerance is larger,
 * because the rounding errors of the binding constraints add up in this constraint.
 */
const DEPENDENT_DISTANCE = 1e-9;

/**
 * A bend of a convex cost: the slope of the objective with respect to a variable rises by `jump` where the variable
 * reaches `point`. The linear part of the programme contains the slope that applies above all bends.
 */
export type DualBend = { variable: number; point: number; jump: number };

/** Where a variable is in relation to a bend: 1 above, 0 at it, -1 below. */
export type DualSolution =
  | { ok: true; point: KktPoint; active: ActiveSet; bends: Int8Array; steps: number }
  | { ok: false; reason: 'infeasible' | 'step_limit'; steps: number };

/**
 * Solves a strictly convex quadratic programme by the dual active set method. The method starts at the
 * unconstrained minimum. It adds the most violated constraint, one at a time, and keeps the signs of all
 * multipliers valid. On ties, the constraint with the lower index is added.
 *
 * A bend is a constraint whose multiplier is at most its jump: if the multiplier would exceed the jump, the variable
 * passes the bend, and the jump becomes part of the slope.
 *
 * Ends after at most 50 steps per constraint (`step_limit`). `infeasible` if no point meets all constraints.
 * Source: Goldfarb and Idnani, "A Numerically Stable Dual Method for Solving Strictly Convex Quadratic Programs"
 * (Mathematical Programming 27, 1983), section 3; a Householder reflection takes the place of its rotations when a
 * constraint is added.
 *
 * Example: minimising x'x / 2 of one variable with x >= 1 gives x = 1, where the lower bound binds.
 */
export function dualActiveSet(program: QuadraticProgram, bends: readonly DualBend[] = []): DualSolution {
  return dualSolver(program, bends).solve();
}

/**
 * Returns a solver by the dual active set method that keeps its factors between calls. Rows can be added
 * after a solution, and the next call of `solve` starts from this solution.
 */
export function dualSolver(program: QuadraticProgram, bends: readonly DualBend[] = []) {
  const rows = [...program.rows];
  const solver = solverOf({ ...program, rows }, bends);
  return {
    addRow: (row: LinearRange) => void rows.push(row),
    solve(): DualSolution {
      const stepsMax = solver.result().steps + 50 * (program.size + bends.length + rows.length + 10);
      for (;;) {
        const violated = solver.mostViolated();
        if (violated === undefined) return { ok: true, ...solver.result() };
        const verdict = solver.satisfy(violated, stepsMax);
        if (verdict !== 'met') return { ok: false, reason: verdict, steps: solver.result().steps };
      }
    },
  };
}

/**
 * One side of a constraint: `sign` is 1 for a lower side, `cap` the largest multiplier. Constraints are numbered in
 * this order: the variables, the bends, the rows.
 */
type Side = { at: number; sign: 1 | -1; isEquation: boolean; cap: number };

function solverOf(program: QuadraticProgram, bends: readonly DualBend[]) {
  const { size, factor, linear, lower, upper, rows } = program;
  const x = solveCholesky(
    factor,
    size,
    linear.map((each) => -each),
  );
  const factors = activeFactors(invertLower(factor, size), size);
  const lengths: number[] = [];
  const sides: Side[] = [];
  const multipliers: number[] = [];
  /**
   * Bit 1: the lower side is active, or is met because it depends on the active sides. Bit 2: the same for
   * the upper side.
   */
  const state: number[] = Array.from({ length: size + bends.length }, () => 0);
  const firstRow = size + bends.length;
  /** 1 above the bend, -1 below. */
  const places = new Int8Array(bends.length).fill(1);
  let steps = 0;

  const rangeAt = (at: number): LinearRange => {
    if (at >= firstRow) return rows[at - firstRow]!;
    const bend = bends[at - size];
    const [variable, min, max] = bend
      ? [bend.variable, bend.point, bend.point]
      : [at, lower[at]!, upper[at]!];
    return { index: Int32Array.of(variable), value: Float64Array.of(1), min, max };
  };
  const pass = ({ at }: Side) => (places[at - size]! *= -1);
  const bitOf = ({ sign, isEquation }: Side) => (isEquation ? 3 : sign > 0 ? 1 : 2);

  /**
   * Returns the next constraint to add: an equation that is not active yet, in order, otherwise the bound
   * with the largest violation. Returns undefined if every constraint is satisfied.
   */
  function mostViolated(): Side | undefined {
    for (let k = lengths.length; k < rows.length; k += 1) {
      lengths.push(Math.max(lengthOf(rows[k]!), 1e-300));
      state.push(0);
    }
    let largest = 0;
    let found: Side | undefined;
    let equation: Side | undefined;
    const look = (
      at: number,
      value: number,
      { min, max, length = 1, cap = Infinity }: { min: number; max: number; length?: number; cap?: number },
    ): void => {
      const bits = state[at]!;
      if (min === max) {
        if (bits === 0 && equation === undefined)
          equation = { at, sign: value > max ? -1 : 1, isEquation: true, cap };
        return;
      }
      const below = (min - value) / length;
      const above = (value - max) / length;
      if (below > largest && !(bits & 1) && below > DISTANCE * (1 + Math.abs(min) / length)) {
        largest = below;
        found = { at, sign: 1, isEquation: false, cap };
      }
      if (above > largest && !(bits & 2) && above > DISTANCE * (1 + Math.abs(max) / length)) {
        largest = above;
        found = { at, sign: -1, isEquation: false, cap };
      }
    };
    for (let k = 0; k < rows.length; k += 1)
      look(firstRow + k, valueOf(rows[k]!, x), { min: rows[k]!.min, max: rows[k]!.max, length: lengths[k]! });
    for (let i = 0; i < size; i += 1) look(i, x[i]!, { min: lower[i]!, max: upper[i]! });
    bends.forEach(({ variable, point, jump }, k) => {
      const [min, max] = places[k]! > 0 ? [point, Infinity] : [-Infinity, point];
      look(size + k, x[variable]!, { min, max, cap: jump });
    });
    return equation ?? found;
  }

  function satisfy(side: Side, stepsMax: number): 'met' | 'infeasible' | 'step_limit' {
    const range = rangeAt(side.at);
    const length = side.at < firstRow ? 1 : lengths[side.at - firstRow]!;
    const target = side.sign > 0 ? range.min : range.max;
    let added = 0;
    for (;;) {
      steps += 1;
      if (steps > stepsMax) return 'step_limit';
      factors.direction(range, side.sign);
      const slack = side.sign * (valueOf(range, x) - target);
      const { curvature, isDependent } = factors;
      const { at: dropped, step: dualStep } = ratioTest(factors, sides, multipliers);
      const primalStep = isDependent ? Infinity : Math.max(0, -slack / curvature);
      const room = side.cap - added;
      const step = Math.min(dualStep, primalStep, room);
      if (step === Infinity) {
        const isMet = -slack <= DEPENDENT_DISTANCE * (length + Math.abs(target));
        const isEqual =
          !side.isEquation || Math.abs(slack) <= DEPENDENT_DISTANCE * (length + Math.abs(target));
        state[side.at]! |= bitOf(side);
        return isMet && isEqual ? 'met' : 'infeasible';
      }
      for (let k = 0; k < sides.length; k += 1) multipliers[k]! -= step * factors.dual[k]!;
      added += step;
      if (!isDependent) for (let i = 0; i < size; i += 1) x[i]! += step * factors.primal[i]!;
      if (step === primalStep) {
        factors.add();
        sides.push(side);
        multipliers.push(added);
        state[side.at]! |= bitOf(side);
        return 'met';
      }
      if (step === room) {
        pass(side);
        return 'met';
      }
      const leaving = sides[dropped]!;
      state[leaving.at]! &= ~bitOf(leaving);
      // A negative element of `dual` means that the multiplier has risen to its cap instead of falling to 0.
      // The variable then moves to the other side of the bend.
      if (factors.dual[dropped]! < 0) pass(leaving);
      factors.drop(dropped);
      sides.splice(dropped, 1);
      multipliers.splice(dropped, 1);
    }
  }

  function result() {
    const active = { bounds: new Int8Array(size), rows: new Int8Array(rows.length) };
    const point = {
      x,
      rowMultipliers: new Float64Array(rows.length),
      boundMultipliers: new Float64Array(size),
    };
    const relations = places.slice();
    sides.forEach(({ at, sign, isEquation }, k) => {
      const side = isEquation ? -1 : -sign;
      const multiplier = sign * multipliers[k]!;
      if (at < size) [active.bounds[at], point.boundMultipliers[at]] = [side, multiplier];
      else if (at < firstRow) relations[at - size] = 0;
      else [active.rows[at - firstRow], point.rowMultipliers[at - firstRow]] = [side, multiplier];
    });
    return { point: { ...point, x: x.slice() }, active, bends: relations, steps };
  }

  return { mostViolated, satisfy, result };
}

/**
 * The first constraint whose multiplier reaches 0 or its cap along the dual direction; of several, the
 * constraint that has been active longest.
 */
function ratioTest({ dual }: ActiveFactors, sides: readonly Side[], multipliers: readonly number[]) {
  let step = Infinity;
  let at = -1;
  for (let k = 0; k < sides.length; k += 1) {
    const { isEquation, cap } = sides[k]!;
    if (isEquation || dual[k] === 0 || (dual[k]! < 0 && cap === Infinity)) continue;
    const room = dual[k]! > 0 ? multipliers[k]! : cap - multipliers[k]!;
    const ratio = Math.max(0, room) / Math.abs(dual[k]!);
    if (ratio < step) [step, at] = [ratio, k];
  }
  return { at, step };
}
