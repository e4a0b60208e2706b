import type { Matrix } from 'ml-matrix';
import { rowMajor } from '../matrix.ts';
import { denseCholesky, solveCholesky } from './dense-cholesky.ts';
import { normalised } from './inverse-risk.ts';

const STEPS_MAX = 200;
/** Relative step size below which Newton's method converges quadratically without damping. */
const UNDAMPED = 0.1;
const IDLE_STEPS_MAX = 3;

export type RiskBudgetPortfolio = {
  /** K weights, 0 or above, with sum 1. */
  weights: Float64Array;
  /** Largest difference between an asset's share of the variance and the asset's budget. */
  budgetError: number;
  steps: number;
};

/**
 * Returns the long-only portfolio in which each asset contributes its budget to the variance. The solution is unique:
 * it minimises x'Cx / 2 - sum b ln x over the correlation matrix C, by Newton's method with the damped step
 * 1 / (1 + max |step / x|), which never leaves x > 0 and always lowers the objective.
 *
 * Shapes: `covariance` K-by-K, `budget` K shares, 0 or above, which are divided by their sum. An asset with a budget of
 * 0 has the weight 0. Errors: `RangeError` if shapes differ, a budget is below 0, all are 0, or a variance is not above
 * 0. Source: Spinu, "An Algorithm for Computing Risk Parity Weights" (2013), with the step bounded by the largest
 * component.
 *
 * Example: for uncorrelated assets with variances 1 and 4 and equal budgets the weights are [2/3, 1/3].
 */
export function riskBudget(covariance: Matrix, budget: ArrayLike<number>): RiskBudgetPortfolio {
  const K = covariance.rows;
  if (budget.length !== K) throw new RangeError(`there are ${budget.length} budgets for ${K} assets`);
  const shares = normalised(Float64Array.from(budget));
  if (!shares.every((share) => share >= 0)) throw new RangeError('a budget is below 0, or all are 0');
  const held = Array.from(shares.keys()).filter((k) => shares[k]! > 0);
  const b = Float64Array.from(held, (k) => shares[k]!);
  const deviations = Float64Array.from(held, (k) => Math.sqrt(covariance.get(k, k)));
  if (!deviations.every((deviation) => deviation > 0)) throw new RangeError('a variance is not above 0');
  const C = correlations(covariance, held, deviations);
  const { x, error, steps } = solve(C, b);
  const scaled = normalised(x.map((each, at) => each / deviations[at]!));
  const weights = new Float64Array(K);
  for (const [at, k] of held.entries()) weights[k] = scaled[at]!;
  return { weights, budgetError: error, steps };
}

function correlations(covariance: Matrix, held: readonly number[], deviations: Float64Array): Float64Array {
  const n = held.length;
  const elements = rowMajor(covariance.selection([...held], [...held]));
  for (let k = 0; k < n; k += 1)
    for (let l = 0; l < n; l += 1) elements[k * n + l]! /= deviations[k]! * deviations[l]!;
  return elements;
}

/** Returns the best x of all Newton steps. Ends when the error has not decreased for some steps. */
function solve(C: Float64Array, b: Float64Array) {
  let x = start(C, b);
  let best = { x, error: Infinity, steps: 0 };
  for (let step = 0, idle = 0; step < STEPS_MAX && idle < IDLE_STEPS_MAX; step += 1) {
    const { product, error } = contributions(C, b, x);
    if (error < best.error) [best, idle] = [{ x, error, steps: step }, 0];
    else if (step > 0) idle += largestStepIsSmall(best.error) ? 1 : 0;
    if (error === 0) break;
    const next = newtonStep(C, b, { x, product });
    if (!next) break;
    x = next;
  }
  return best;
}

/**
 * Steps without a smaller error are only counted below this error, because a damped step can increase the
 * error while it decreases the objective.
 */
const largestStepIsSmall = (error: number) => error < 1e-8;

function start(C: Float64Array, b: Float64Array): Float64Array {
  let total = 0;
  for (const each of C) total += each;
  return total > 1e-6 ? new Float64Array(b.length).fill(1 / Math.sqrt(total)) : b.map(Math.sqrt);
}

function contributions(C: Float64Array, b: Float64Array, x: Float64Array) {
  const n = b.length;
  const product = new Float64Array(n);
  let variance = 0;
  for (let k = 0; k < n; k += 1) {
    let total = 0;
    for (let l = 0; l < n; l += 1) total += C[k * n + l]! * x[l]!;
    product[k] = total;
    variance += x[k]! * total;
  }
  let error = 0;
  for (let k = 0; k < n; k += 1) error = Math.max(error, Math.abs((x[k]! * product[k]!) / variance - b[k]!));
  return { product, error: Number.isNaN(error) ? Infinity : error };
}

/** Returns x after a damped Newton step; null if the Hessian is not positive definite in floating point. */
function newtonStep(
  C: Float64Array,
  b: Float64Array,
  { x, product }: { x: Float64Array; product: Float64Array },
): Float64Array | null {
  const n = b.length;
  const hessian = C.slice();
  for (let k = 0; k < n; k += 1) hessian[k * n + k]! += b[k]! / (x[k]! * x[k]!);
  const verdict = denseCholesky(hessian, n);
  if (!verdict.ok) return null;
  const gradient = product.map((each, k) => each - b[k]! / x[k]!);
  const move = solveCholesky(verdict.lower, n, gradient);
  let largest = 0;
  for (let k = 0; k < n; k += 1) largest = Math.max(largest, Math.abs(move[k]! / x[k]!));
  const length = largest < UNDAMPED ? 1 : 1 / (1 + largest);
  return x.map((each, k) => each - length * move[k]!);
}
