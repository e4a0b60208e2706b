import { solveOnActiveSet, type ActiveSet, type KktPoint, type QuadraticProgram } from './active-set.ts';
import { lengthOf, valueOf } from './linear-range.ts';

const STEPS_MAX = 40;
/** Above this number of rows the Schur complement costs more than the dual method. */
const ROWS_MAX = 200;
/** Distance from a side, relative to its size, within which a constraint is met. */
const DISTANCE = 1e-12;

export type Guess = { point: KktPoint; active: ActiveSet; steps: number };

/**
 * Solves a quadratic programme by the primal-dual active set method: all constraints that a point violates bind in the
 * next step, and all whose multiplier has the wrong sign are released. It ends at a point that meets the conditions of
 * optimality exactly, most often within ten steps.
 *
 * Null if the active sets do not settle within 40 steps, or if binding rows depend on each other: the dual method then
 * has to solve the programme. `start` is the active set to begin with, by default the equations alone.
 * Source: Hintermüller, Ito and Kunisch, "The Primal-Dual Active Set Strategy as a Semismooth Newton Method" (SIAM
 * Journal on Optimization 13, 2002), section 1.
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

/** Returns the active set of the equations, and of the variables whose bounds are equal. */
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
