import type { Matrix } from 'ml-matrix';
import { matrixOf } from '../matrix.ts';
import { backwardSolve, forwardSolve, lowerCholesky } from '../scenario/lower-cholesky.ts';

const MEMBERS_MAX = 8;

/**
 * Returns non-negative weights with sum 1 for which the weighted mean of predictions has the smallest squared error.
 * Every subset of members is solved, so the minimum is exact and not an approximation. On ties the first subset wins,
 * in member order. If no subset can be solved, all weights are equal.
 *
 * Shapes: `errors` has a row of T errors for each member, 1 to 8 members. With C the matrix of mean products of errors,
 * the weights of a subset are C^-1 1 / (1' C^-1 1).
 * Errors: `RangeError` without members or with more than eight.
 * Source: Bates and Granger, "The Combination of Forecasts" (1969); Breiman, "Stacked Regressions" (1996) for
 * non-negative weights.
 *
 * Example: errors [1, -1] and [2, 2] have the weights 0.8 and 0.2.
 */
export function convexWeights(errors: readonly Float64Array[]): Float64Array {
  const members = errors.length;
  if (members < 1 || members > MEMBERS_MAX)
    throw new RangeError(`weights need 1 to 8 members, not ${members}`);
  const products = matrixOf(members, members, (one, other) => meanProduct(errors[one]!, errors[other]!));
  let best = new Float64Array(members).fill(1 / members);
  let min = Infinity;
  for (let set = 1; set < 1 << members; set += 1) {
    const chosen = errors.flatMap((_, at) => ((set >> at) & 1 ? [at] : []));
    const weights = ofSet(products, chosen);
    if (!weights) continue;
    // The squared error of the best weights of a subset is 1 / (1' C^-1 1).
    if (weights.total > 0 && 1 / weights.total < min) {
      min = 1 / weights.total;
      best = new Float64Array(members);
      chosen.forEach((member, at) => (best[member] = weights.solved[at]! / weights.total));
    }
  }
  return best;
}

function ofSet(products: Matrix, chosen: number[]) {
  const lower = lowerCholesky(products.selection(chosen, chosen));
  if (!lower) return null;
  const solved = backwardSolve(lower, forwardSolve(lower, new Float64Array(chosen.length).fill(1)));
  if (!solved.every((each) => each >= 0)) return null;
  let total = 0;
  for (const each of solved) total += each;
  return { solved, total };
}

function meanProduct(one: Float64Array, other: Float64Array): number {
  let total = 0;
  for (let t = 0; t < one.length; t += 1) total += one[t]! * other[t]!;
  return total / one.length;
}
