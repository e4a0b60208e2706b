import { solveOnActiveSet, type ActiveSet, type KktPoint, type QuadraticProgram } from './active-set.ts';
import { lengthOf, valueOf } from './linear-range.ts';

const STEPS_MAX = 40;
/**
 * Maximum number of rows for this method. With more rows, the Schur complement is slower than the dual
 * method.
 */
const ROWS_MAX = 200;
/**
 * Tolerance of a constraint, relative to the size of its bound. A constraint violated by less counts as
 * satisfied.
 */
const DISTANCE = 1e-12;

export type Guess = { point: KktPoint; active: ActiveSet; steps: number };

/**
 * Solves a quadratic programme by the primal-dual active set method. In each step, all violated constraints
 * become binding, and all constraints whose multiplier has the wrong sign are released. The method ends at a
 * point that satisfies the optimality conditions, usually within ten steps.
 *
 * Returns null if the active sets do not settle within 40 steps, if there are more than 200 rows, or if
 * binding rows are linearly dependent. The dual method must then solve the programme. `start` is the first
 * active set; by default, only the equations are active.
 * Source: Hintermüller, Ito and Kunisch, "The Primal-Dual Active Set Strategy as a Semismooth Newton Method"
 * (SIAM Journal on Optimization 13, 2002), section 1.
 */
export function guessActiveSet(program: QuadraticProgram, start?: ActiveSet): Guess | null {
  const { rows } = program;
  if (rows.length > ROWS_MAX) return null;
  let active = start ?? equationsOf(program);
  for (let steps = 1; steps <= STEPS_MAX; steps += 1) {
    const point = solveOnActiveSet(program, active);
    if (!point) return null;
    const next = nextSet(program, active, point);
    if (!next) return { point, active, steps };
    active = next;
  }
  return null;
}

/** Returns the active set that contains the equations and the variables whose bounds are equal. */
function equationsOf({ size, lower, upper, rows }: QuadraticProgram): ActiveSet {
  const bounds = new Int8Array(size);
  for (let i = 0; i < size; i += 1) if (lower[i] === upper[i]) bounds[i] = -1;
  return { bounds, rows: Int8Array.from(rows, ({ min, max }) => (min === max ? -1 : 0)) };
}

/** Returns the next active set; undefined if the point is optimal. */
function nextSet(program: QuadraticProgram, active: ActiveSet, point: KktPoint): ActiveSet | undefined {
  const { size, lower, upper, rows } = program;
  const bounds = new Int8Array(size);
  const sides = new Int8Array(rows.length);
  let isSame = true;
  for (let i = 0; i < size; i += 1) {
    const [low, high] = [lower[i]!, upper[i]!];
    bounds[i] =
      low === high ? -1 : sideOf(active.bounds[i]!, point.x[i]!, point.boundMultipliers[i]!, low, high, 1);
    if (bounds[i] !== active.bounds[i]) isSame = false;
  }
  rows.forEach((row, k) => {
    const { min, max } = row;
    const side = active.rows[k]!;
    const value = side === 0 ? valueOf(row, point.x) : 0;
    sides[k] =
      min === max
        ? -1
        : sideOf(side, value, point.rowMultipliers[k]!, min, max, Math.max(lengthOf(row), 1e-300));
    if (sides[k] !== side) isSame = false;
  });
  return isSame ? undefined : { bounds, rows: sides };
}

function sideOf(
  side: number,
  value: number,
  multiplier: number,
  min: number,
  max: number,
  length: number,
): -1 | 0 | 1 {
  if (side < 0) return multiplier < 0 ? 0 : -1;
  if (side > 0) return multiplier > 0 ? 0 : 1;
  if (value < min - DISTANCE * (length + Math.abs(min))) return -1;
  return value > max + DISTANCE * (length + Math.abs(max)) ? 1 : 0;
}
