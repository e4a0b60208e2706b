import type { ActiveSet, KktPoint, QuadraticProgram } from './active-set.ts';
import { invertLower, solveCholesky } from './dense-cholesky.ts';
import { activeFactors, type ActiveFactors } from './active-factors.ts';
import { lengthOf, valueOf, type LinearRange } from './linear-range.ts';

/** Distance from a side, relative to its size, within which a constraint is met. */
const DISTANCE = 1e-12;
/** The same for a constraint that depends on the binding ones: rounding of those adds up in it. */
const DEPENDENT_DISTANCE = 1e-9;

export type DualSolution =
  | { ok: true; point: KktPoint; active: ActiveSet; steps: number }
  | { ok: false; reason: 'infeasible' | 'step_limit'; steps: number };

/**
 * Solves a strictly convex quadratic programme by the dual active set method: it begins at the unconstrained minimum and
 * adds the most violated constraint, one at a time, while all multipliers keep their sign. Ties go to the lower index.
 *
 * Ends after at most 50 steps per constraint (`step_limit`). `infeasible` if no point meets all constraints.
 * Source: Goldfarb and Idnani, "A Numerically Stable Dual Method for Solving Strictly Convex Quadratic Programs"
 * (Mathematical Programming 27, 1983), section 3; a Householder reflection takes the place of its rotations when a
 * constraint is added.
 *
 * Example: x'x / 2 with x >= 1 and one variable has the minimum 1, where the lower bound binds.
 */
export function dualActiveSet(program: QuadraticProgram): DualSolution {
  return dualSolver(program).solve();
}

/**
 * Returns a dual active set method that keeps its factors, so that rows can be added after a solution: the next one begins
 * at the last.
 */
export function dualSolver(program: QuadraticProgram) {
  const rows = [...program.rows];
  const solver = solverOf({ ...program, rows });
  return {
    addRow: (row: LinearRange) => void rows.push(row),
    solve(): DualSolution {
      const stepsMax = solver.result().steps + 50 * (program.size + rows.length + 10);
      for (;;) {
        const violated = solver.mostViolated();
        if (violated === undefined) return { ok: true, ...solver.result() };
        const verdict = solver.satisfy(violated, stepsMax);
        if (verdict !== 'met') return { ok: false, reason: verdict, steps: solver.result().steps };
      }
    },
  };
}

/** One side of a constraint: `sign` is 1 for a lower side. Rows count on from the variables. */
type Side = { at: number; sign: 1 | -1; isEquation: boolean };

function solverOf(program: QuadraticProgram) {
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
  /** Bit 1: the lower side binds or is passed over; bit 2: the upper one. */
  const state: number[] = Array.from({ length: size }, () => 0);
  let steps = 0;

  const rangeAt = (at: number): LinearRange =>
    at < size
      ? { index: Int32Array.of(at), value: Float64Array.of(1), min: lower[at]!, max: upper[at]! }
      : rows[at - size]!;
  const bitOf = ({ sign, isEquation }: Side) => (isEquation ? 3 : sign > 0 ? 1 : 2);

  /** The equations come first, in order; then the side with the largest distance. */
  function mostViolated(): Side | undefined {
    for (let k = lengths.length; k < rows.length; k += 1) {
      lengths.push(Math.max(lengthOf(rows[k]!), 1e-300));
      state.push(0);
    }
    let largest = 0;
    let found: Side | undefined;
    let equation: Side | undefined;
    const look = (at: number, value: number, min: number, max: number, length: number): void => {
      const bits = state[at]!;
      if (min === max) {
        if (bits === 0 && equation === undefined)
          equation = { at, sign: value > max ? -1 : 1, isEquation: true };
        return;
      }
      const below = (min - value) / length;
      const above = (value - max) / length;
      if (below > largest && !(bits & 1) && below > DISTANCE * (1 + Math.abs(min) / length)) {
        largest = below;
        found = { at, sign: 1, isEquation: false };
      }
      if (above > largest && !(bits & 2) && above > DISTANCE * (1 + Math.abs(max) / length)) {
        largest = above;
        found = { at, sign: -1, isEquation: false };
      }
    };
    for (let k = 0; k < rows.length; k += 1)
      look(size + k, valueOf(rows[k]!, x), rows[k]!.min, rows[k]!.max, lengths[k]!);
    for (let i = 0; i < size; i += 1) look(i, x[i]!, lower[i]!, upper[i]!, 1);
    return equation ?? found;
  }

  function satisfy(side: Side, stepsMax: number): 'met' | 'infeasible' | 'step_limit' {
    const range = rangeAt(side.at);
    const length = side.at < size ? 1 : lengths[side.at - size]!;
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
      const step = Math.min(dualStep, primalStep);
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
      state[sides[dropped]!.at]! &= ~bitOf(sides[dropped]!);
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
    sides.forEach(({ at, sign, isEquation }, k) => {
      const side = isEquation ? -1 : -sign;
      const multiplier = sign * multipliers[k]!;
      if (at < size) [active.bounds[at], point.boundMultipliers[at]] = [side, multiplier];
      else [active.rows[at - size], point.rowMultipliers[at - size]] = [side, multiplier];
    });
    return { point: { ...point, x: x.slice() }, active, steps };
  }

  return { mostViolated, satisfy, result };
}

/** The first constraint whose multiplier reaches 0 along the dual direction; ties go to the one that is there longer. */
function ratioTest({ dual }: ActiveFactors, sides: readonly Side[], multipliers: readonly number[]) {
  let step = Infinity;
  let at = -1;
  for (let k = 0; k < sides.length; k += 1) {
    if (sides[k]!.isEquation || !(dual[k]! > 0)) continue;
    const ratio = Math.max(0, multipliers[k]!) / dual[k]!;
    if (ratio < step) [step, at] = [ratio, k];
  }
  return { at, step };
}
