import { gradientAt, solveOnActiveSet, type KktPoint, type QuadraticProgram } from './active-set.ts';
import { guessActiveSet } from './active-set-guess.ts';
import { highEnd, lowEnd, type Bends } from './bends.ts';
import { kktResidual } from './kkt-residual.ts';
import { lengthOf, valueOf, type LinearRange } from './linear-range.ts';

/**
 * The side of each variable: -1 at its lower bound, -2 at its upper bound, 2p free on piece p, and 2p + 1
 * at point p. The last of `rows` is the limit.
 */
export type BentSet = { sides: Int32Array; rows: Int8Array };

/**
 * `limitMultiplier` is the multiplier of the limit, 0 or below. A variable at a point has the bound
 * multiplier 0.
 */
export type BentPoint = KktPoint & { limitMultiplier: number; kktResidual: number; active: BentSet };

const [LOWER, UPPER] = [-1, -2];
const STEPS_MAX = 300;
const DISTANCE = 1e-12;

/**
 * Minimises x'Gx / 2 + g'x + the costs of the bends, with bounds, rows, and the limit on distances.
 *
 * Uses the primal-dual active set method, as `guessActiveSet` does. A variable may also be kept at a point, where
 * any slope between the slopes of the two adjacent pieces is allowed. On given pieces the limit is a row, and
 * the costs are linear. Returns null if the sides still change after 300 steps, or if binding rows are
 * linearly dependent. `start` is the set of an earlier point.
 */
export function guessBentSet(program: QuadraticProgram, bends: Bends, start?: BentSet): BentPoint | null {
  let active = start ?? startOf(program, bends);
  let last: KktPoint | undefined;
  for (let step = 0; active && step < STEPS_MAX; step += 1) {
    const smooth = smoothProgram(program, bends, active);
    const point = solveOnActiveSet(smooth, smoothSet(active));
    if (!point) {
      active = released(bends, active, last);
      continue;
    }
    last = point;
    const next = nextSet(smooth, { program, bends, active, point });
    if (!next) return bentPoint(smooth, { program, bends, active, point });
    active = next;
  }
  return null;
}

/**
 * Returns the stationary point on given sides, with the residual of the conditions of optimality. Returns
 * null if binding rows are linearly dependent.
 */
export function solveOnBentSet(program: QuadraticProgram, bends: Bends, active: BentSet): BentPoint | null {
  const smooth = smoothProgram(program, bends, active);
  const point = solveOnActiveSet(smooth, smoothSet(active));
  return point && bentPoint(smooth, { program, bends, active, point });
}

/**
 * Frees one variable if the row of the limit is linearly dependent on the other binding rows. This happens if all free
 * variables are on the same side of their bends. Of the variables at a bound other than `from`, the variable with the
 * smallest multiplier is freed. Returns null if no variable can be freed.
 */
function released(bends: Bends, { sides, rows }: BentSet, last: KktPoint | undefined): BentSet | null {
  if (rows.at(-1) === 0) return null;
  let found = -1;
  let least = Infinity;
  sides.forEach((side, i) => {
    const sign = signOf(bends, sides, i);
    const isBeyond = side === LOWER ? sign < 0 : side === UPPER && sign > 0;
    const push = Math.abs(last?.boundMultipliers[i] ?? 0);
    if (isBeyond && push < least) [found, least] = [i, push];
  });
  if (found < 0) return null;
  const next = sides.slice();
  next[found] = sides[found] === LOWER ? 0 : 2 * bends.points[found]!.length;
  return { sides: next, rows };
}

/** The sides of the minimum without bends. */
function startOf(program: QuadraticProgram, { points, limit }: Bends): BentSet | null {
  const guess = guessActiveSet(program);
  if (!guess) return null;
  const { x } = guess.point;
  let distance = 0;
  const sides = Int32Array.from(x, (value, i) => {
    distance += limit ? Math.abs(value - limit.from[i]!) : 0;
    const side = guess.active.bounds[i]!;
    return side < 0 ? LOWER : side > 0 ? UPPER : 2 * points[i]!.filter((point) => point <= value).length;
  });
  return { sides, rows: Int8Array.of(...guess.active.rows, limit && distance > limit.max ? 1 : 0) };
}

/** Returns the piece of a side; at a point, the upper of the two adjacent pieces. */
function pieceOf({ points }: Bends, side: number, i: number): number {
  return side === LOWER ? 0 : side === UPPER ? points[i]!.length : (side + 1) >> 1;
}

/**
 * Returns the sign of x_i - from_i on the side of variable i, where |x_i - from_i| is the distance that the limit
 * counts. Returns 0 if x_i is at from_i, or if there is no limit.
 */
function signOf(bends: Bends, sides: Int32Array, i: number): number {
  if (!bends.limit) return 0;
  const turn = bends.limit.turn[i]!;
  if (sides[i] === 2 * turn - 1 && turn > 0) return 0;
  return pieceOf(bends, sides[i]!, i) >= turn ? 1 : -1;
}

/** Whether a side is a point between two pieces. */
function isPoint(side: number): boolean {
  return side > 0 && side % 2 === 1;
}

function smoothSet({ sides, rows }: BentSet) {
  const bounds = Int8Array.from(sides, (side) =>
    side === LOWER || isPoint(side) ? -1 : side === UPPER ? 1 : 0,
  );
  return { bounds, rows };
}

/** The programme on given sides, in which each variable stays on its piece. Its last row is the limit. */
function smoothProgram(program: QuadraticProgram, bends: Bends, { sides }: BentSet): QuadraticProgram {
  const { size } = program;
  const [lower, upper, linear] = [program.lower.slice(), program.upper.slice(), program.linear.slice()];
  const value = new Float64Array(size);
  let max = bends.limit?.max ?? Infinity;
  for (let i = 0; i < size; i += 1) {
    const side = sides[i]!;
    const points = bends.points[i]!;
    const piece = pieceOf(bends, side, i);
    const sign = signOf(bends, sides, i);
    value[i] = sign;
    if (bends.limit) max += sign * bends.limit.from[i]!;
    lower[i] = lowEnd(points, piece, lower[i]!);
    if (isPoint(side)) upper[i] = lower[i]!;
    else {
      upper[i] = highEnd(points, piece, upper[i]!);
      linear[i]! += bends.slopes[i]![piece]!;
    }
  }
  const limit: LinearRange = { index: Int32Array.from(value, (_, i) => i), value, min: -Infinity, max };
  return { ...program, lower, upper, linear, rows: [...program.rows, limit] };
}

type Step = { program: QuadraticProgram; bends: Bends; active: BentSet; point: KktPoint };

/** Returns the next set; undefined if the point is optimal. */
function nextSet(smooth: QuadraticProgram, { program, bends, active, point }: Step): BentSet | undefined {
  let isSame = true;
  const sides = active.sides.map((side, i) => {
    const next = isPoint(side)
      ? side - Math.sign(outsideSlopes(bends, { active, point }, i))
      : nextSide(smooth, { program, bends, side, point }, i);
    if (next !== side) isSame = false;
    return next;
  });
  const rows = active.rows.map((side, k) => {
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
  return isSame ? undefined : { sides, rows };
}

/** For a variable at a bound or on a piece, returns its side in the next active set. */
function nextSide(
  smooth: QuadraticProgram,
  { program, bends, side, point }: Omit<Step, 'active'> & { side: number },
  i: number,
): number {
  const last = bends.points[i]!.length;
  const slope = point.boundMultipliers[i]!;
  const isFixed = program.lower[i] === program.upper[i];
  if (side === LOWER) return slope < 0 && !isFixed ? 0 : LOWER;
  if (side === UPPER) return slope > 0 && !isFixed ? 2 * last : UPPER;
  const value = point.x[i]!;
  const [low, high] = [smooth.lower[i]!, smooth.upper[i]!];
  if (value - high > DISTANCE * (1 + Math.abs(high))) return side === 2 * last ? UPPER : side + 1;
  if (low - value > DISTANCE * (1 + Math.abs(low))) return side === 0 ? LOWER : side - 1;
  return side;
}

/**
 * Returns the distance of the slope at a point from the interval between the slopes of the two adjacent
 * pieces: above 0 if a lower value of the variable is better, below 0 if a higher value is better.
 */
function outsideSlopes(bends: Bends, { active, point }: Pick<Step, 'active' | 'point'>, i: number): number {
  const below = (active.sides[i]! - 1) >> 1;
  const price = bends.limit?.turn[i] === below + 1 ? Math.max(0, -point.rowMultipliers.at(-1)!) : 0;
  const slope = point.boundMultipliers[i]!;
  const [low, high] = [bends.slopes[i]![below]! - price, bends.slopes[i]![below + 1]! + price];
  return slope > -low ? slope + low : slope < -high ? slope + high : 0;
}

function bentPoint(smooth: QuadraticProgram, { program, bends, active, point }: Step): BentPoint {
  const x = point.x.map((value, i) => Math.min(Math.max(value, smooth.lower[i]!), smooth.upper[i]!) + 0);
  const largest = gradientAt(smooth.matrix, smooth.linear, x).reduce(
    (most, each) => Math.max(most, Math.abs(each)),
    0,
  );
  let residual = kktResidual(smooth, { ...point, x });
  const boundMultipliers = point.boundMultipliers.map((each, i) => {
    if (!isPoint(active.sides[i]!)) return each;
    residual = Math.max(residual, Math.abs(outsideSlopes(bends, { active, point }, i)) / (1 + largest));
    return 0;
  });
  return {
    x,
    boundMultipliers,
    rowMultipliers: point.rowMultipliers.slice(0, program.rows.length),
    limitMultiplier: point.rowMultipliers.at(-1)!,
    kktResidual: residual,
    active,
  };
}
