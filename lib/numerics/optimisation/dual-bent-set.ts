import type { QuadraticProgram } from './active-set.ts';
import { guessBentSet, solveOnBentSet, type BentPoint, type BentSet } from './bent-active-set.ts';
import type { Bends } from './bends.ts';
import { dualActiveSet, type DualBend } from './dual-active-set.ts';

/**
 * Maximum number of doublings and halvings of the price of distance. Further steps would be smaller than
 * rounding errors.
 */
const PRICE_STEPS_MAX = 40;
/** Below this residual a point on given sides is optimal. */
const RESIDUAL_MAX = 1e-10;

export type BentVerdict = { ok: true; point: BentPoint } | { ok: false; reason: 'infeasible' | 'not_solved' };

/**
 * Minimises the same function as `guessBentSet`, by the dual active set method, which always ends. A limit on the sum
 * of distances is replaced by a price per unit of distance. The sum decreases as the price increases. Once the price is
 * close enough, the sides are known, and the limit becomes a row.
 *
 * `not_solved`: a step limit was reached, or no price was found that is close enough. The result is also `not_solved`
 * if no point meets the limit.
 */
export function dualBentSet(program: QuadraticProgram, bends: Bends): BentVerdict {
  const { limit } = bends;
  const free = sidesAt(program, bends, 0);
  if (!free.ok) return free;
  if (!limit || distanceOf(free.x, limit.from) <= limit.max)
    return conclude(program, bends, { sides: free.sides, rows: Int8Array.of(...free.rows, 0) });
  let [low, high] = [0, Infinity];
  let price = largestSlope(program, bends);
  for (let step = 0; step < PRICE_STEPS_MAX && price > low && price < high; step += 1) {
    const found = sidesAt(program, bends, price);
    if (!found.ok) return { ok: false, reason: 'not_solved' };
    const active = { sides: found.sides, rows: Int8Array.of(...found.rows, 1) };
    const exact = conclude(program, bends, active);
    if (exact.ok) return exact;
    if (distanceOf(found.x, limit.from) > limit.max) low = price;
    else high = price;
    price = high === Infinity ? 2 * price : low + (high - low) / 2;
  }
  return { ok: false, reason: 'not_solved' };
}

/** Returns the optimum on these sides, or on sides close to them. */
function conclude(program: QuadraticProgram, bends: Bends, active: BentSet): BentVerdict {
  const settled = guessBentSet(program, bends, active);
  if (settled && settled.kktResidual <= RESIDUAL_MAX) return { ok: true, point: settled };
  const point = solveOnBentSet(program, bends, active);
  return point && point.kktResidual <= RESIDUAL_MAX
    ? { ok: true, point }
    : { ok: false, reason: 'not_solved' };
}

type Sides = { ok: true; sides: Int32Array; rows: Int8Array; x: Float64Array };

/** Solves the programme with a price per unit of distance instead of the limit. */
function sidesAt(
  program: QuadraticProgram,
  { points, slopes, limit }: Bends,
  price: number,
): Sides | { ok: false; reason: 'infeasible' | 'not_solved' } {
  const turnOf = (i: number) => limit?.turn[i] ?? 0;
  const dualBends = points.flatMap((own, i) =>
    Array.from(own, (point, q): DualBend => {
      const jump = slopes[i]![q + 1]! - slopes[i]![q]! + (limit && turnOf(i) === q + 1 ? 2 * price : 0);
      return { variable: i, point, jump };
    }),
  );
  const linear = program.linear.map((slope, i) => {
    const last = points[i]!.length;
    return slope + slopes[i]![last]! + (limit ? (last >= turnOf(i) ? price : -price) : 0);
  });
  const found = dualActiveSet({ ...program, linear }, dualBends);
  if (!found.ok) return { ok: false, reason: found.reason === 'infeasible' ? 'infeasible' : 'not_solved' };
  let at = 0;
  const sides = Int32Array.from(points, (own, i) => {
    const side = found.active.bounds[i]!;
    const relations = found.bends.subarray(at, at + own.length);
    at += own.length;
    if (side !== 0) return side < 0 ? -1 : -2;
    // The index counts the segments between the bends and the bends themselves, so a bend below the weight
    // counts 2, and a bend at the weight counts 1.
    return relations.reduce((sum, relation) => sum + 1 + relation, 0);
  });
  return { ok: true, sides, rows: found.active.rows, x: found.point.x };
}

function distanceOf(x: Float64Array, from: Float64Array): number {
  return x.reduce((sum, value, i) => sum + Math.abs(value - from[i]!), 0);
}

/** Returns the first price: the largest of the linear terms, first slopes and diagonal elements, by absolute value. */
function largestSlope({ linear, matrix, size }: QuadraticProgram, { slopes }: Bends): number {
  let most = 1e-12;
  for (let i = 0; i < size; i += 1)
    most = Math.max(most, Math.abs(linear[i]!), Math.abs(slopes[i]![0]!), matrix[i * size + i]!);
  return most;
}
