import { solveOnActiveSet, type ActiveSet, type KktPoint, type QuadraticProgram } from './active-set.ts';
import { guessActiveSet } from './active-set-guess.ts';
import { kktResidual } from './kkt-residual.ts';
import { lengthOf, valueOf, type LinearRange } from './linear-range.ts';

/** A term in |x - from|: costs above and below, which are not below 0 together, and a limit on the sum of distances. */
export type Bends = { from: Float64Array; purchase: Float64Array; sale: Float64Array; max: number };

/** `limitMultiplier` is that of the limit, not above 0. A variable at its bend has the bound multiplier 0. */
export type BentPoint = KktPoint & { limitMultiplier: number; kktResidual: number; active: ActiveSet };

/** A variable is at a bound, at its bend, or free above or below its bend. */
const [LOWER, BEND, UPPER, BELOW, ABOVE] = [-1, 0, 1, -2, 2];
const STEPS_MAX = 300;
const DISTANCE = 1e-12;

/**
 * Minimises x'Gx / 2 + g'x + sum of purchase (x - from)+ + sale (from - x)+ with bounds, rows, and sum |x - from| <= max.
 *
 * The primal-dual active set method as in `guessActiveSet`; a variable may also be kept at its bend, where the slope may
 * be anything between its one-sided slopes. At given sides of the bends the limit is a row, and the costs are linear.
 * Null if the sides do not settle within 300 steps or binding rows depend on each other.
 * `start` is the active set of an earlier point: its bounds also say on which side of the bend a variable is.
 */
export function guessBentSet(program: QuadraticProgram, bends: Bends, start?: ActiveSet): BentPoint | null {
  let sides = start ?? startOf(program, bends);
  let last: KktPoint | undefined;
  for (let step = 0; sides && step < STEPS_MAX; step += 1) {
    const smooth = smoothProgram(program, bends, sides);
    const active = {
      bounds: sides.bounds.map((side) => (Math.abs(side) === 2 ? 0 : side || -1)),
      rows: sides.rows,
    };
    const point = solveOnActiveSet(smooth, active);
    if (!point) {
      sides = released(program, bends, { sides, last });
      continue;
    }
    last = point;
    const next = nextSides(smooth, { program, bends, sides, point });
    if (!next) return settled(smooth, { program, sides, point });
    sides = next;
  }
  return null;
}

/**
 * Where the limit depends on the other rows, because all free variables are on one side of their bends, the variable at a
 * bound that is pushed least towards it becomes free. Null if there is none.
 */
function released(
  { lower, upper, rows }: QuadraticProgram,
  { from }: Bends,
  { sides, last }: { sides: ActiveSet; last: KktPoint | undefined },
): ActiveSet | null {
  if (sides.rows[rows.length] === 0) return null;
  let found = -1;
  let least = Infinity;
  sides.bounds.forEach((side, i) => {
    const isBeyond = side === LOWER ? lower[i]! < from[i]! : side === UPPER && upper[i]! > from[i]!;
    const push = Math.abs(last?.boundMultipliers[i] ?? 0);
    if (isBeyond && push < least) [found, least] = [i, push];
  });
  if (found < 0) return null;
  const bounds = sides.bounds.slice();
  bounds[found] = bounds[found] === LOWER ? BELOW : ABOVE;
  return { bounds, rows: sides.rows };
}

/** The sides of the minimum without bends. */
function startOf(program: QuadraticProgram, { from, max }: Bends): ActiveSet | null {
  const guess = guessActiveSet(program);
  if (!guess) return null;
  let distance = 0;
  const bounds = guess.active.bounds.map((side, i) => {
    const value = guess.point.x[i]!;
    distance += Math.abs(value - from[i]!);
    return side || (value > from[i]! ? ABOVE : BELOW);
  });
  return { bounds, rows: Int8Array.of(...guess.active.rows, distance > max ? 1 : 0) };
}

/** The sign of x - from on a side: 0 at the bend, where the term is not smooth. */
function signOf(program: QuadraticProgram, { from }: Bends, bounds: Int8Array, i: number): number {
  const side = bounds[i]!;
  if (side === LOWER) return program.lower[i]! >= from[i]! ? 1 : -1;
  if (side === UPPER) return program.upper[i]! <= from[i]! ? -1 : 1;
  return side === BEND ? 0 : side > 0 ? 1 : -1;
}

/** The programme at given sides of the bends; its last row is the limit. */
function smoothProgram(program: QuadraticProgram, bends: Bends, { bounds }: ActiveSet): QuadraticProgram {
  const { size } = program;
  const [lower, upper, linear] = [program.lower.slice(), program.upper.slice(), program.linear.slice()];
  const value = new Float64Array(size);
  let max = bends.max;
  for (let i = 0; i < size; i += 1) {
    const sign = signOf(program, bends, bounds, i);
    value[i] = sign;
    max += sign * bends.from[i]!;
    linear[i]! += sign > 0 ? bends.purchase[i]! : sign < 0 ? -bends.sale[i]! : 0;
    if (bounds[i] === BEND) lower[i] = upper[i] = bends.from[i]!;
  }
  const limit: LinearRange = { index: Int32Array.from(value, (_, i) => i), value, min: -Infinity, max };
  return { ...program, lower, upper, linear, rows: [...program.rows, limit] };
}

type Step = { program: QuadraticProgram; bends: Bends; sides: ActiveSet; point: KktPoint };

/** Returns the next sides; undefined if the point is optimal. */
function nextSides(smooth: QuadraticProgram, { program, bends, sides, point }: Step): ActiveSet | undefined {
  const price = Math.max(0, -point.rowMultipliers.at(-1)!);
  let isSame = true;
  const bounds = sides.bounds.map((side, i) => {
    const [low, high, bend] = [program.lower[i]!, program.upper[i]!, bends.from[i]!];
    const [value, slope] = [point.x[i]!, point.boundMultipliers[i]!];
    const far = (distance: number) => distance > DISTANCE * (1 + Math.abs(bend));
    let next = side;
    if (side === BEND) {
      if (slope < -(price + bends.purchase[i]!)) next = bend >= high ? UPPER : ABOVE;
      else if (slope > price + bends.sale[i]!) next = bend <= low ? LOWER : BELOW;
    } else if (side === LOWER && slope < 0 && low < high) next = low >= bend ? ABOVE : BELOW;
    else if (side === UPPER && slope > 0 && low < high) next = high <= bend ? BELOW : ABOVE;
    else if (side === ABOVE) {
      if (far(value - high)) next = UPPER;
      else if (far(Math.max(low, bend) - value)) next = low >= bend ? LOWER : BEND;
    } else if (side === BELOW) {
      if (far(low - value)) next = LOWER;
      else if (far(value - Math.min(high, bend))) next = high <= bend ? UPPER : BEND;
    }
    if (next !== side) isSame = false;
    return next;
  });
  const rows = sides.rows.map((side, k) => {
    const row = smooth.rows[k]!;
    if (row.min === row.max) return -1;
    const multiplier = point.rowMultipliers[k]!;
    const value = side === 0 ? valueOf(row, point.x) : 0;
    const slack = DISTANCE * (lengthOf(row) + 1);
    const outside = value < row.min - slack ? -1 : value > row.max + slack ? 1 : 0;
    const next = side === 0 ? outside : side < 0 ? (multiplier < 0 ? 0 : -1) : multiplier > 0 ? 0 : 1;
    if (next !== side) isSame = false;
    return next;
  });
  return isSame ? undefined : { bounds, rows };
}

function settled(smooth: QuadraticProgram, { program, sides, point }: Omit<Step, 'bends'>): BentPoint {
  const x = point.x.map((value, i) => Math.min(Math.max(value, smooth.lower[i]!), smooth.upper[i]!) + 0);
  const boundMultipliers = point.boundMultipliers.map((each, i) => (sides.bounds[i] === BEND ? 0 : each));
  return {
    x,
    boundMultipliers,
    rowMultipliers: point.rowMultipliers.slice(0, program.rows.length),
    limitMultiplier: point.rowMultipliers.at(-1)!,
    kktResidual: kktResidual(smooth, { ...point, x }),
    active: sides,
  };
}
