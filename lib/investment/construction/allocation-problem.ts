import type { Matrix } from 'ml-matrix';
import type { VolatilityCap } from '#lib/numerics/optimisation/capped-program.ts';
import type { AbsoluteTerm } from '#lib/numerics/optimisation/portfolio-polyhedron.ts';
import type { Objective } from './construction-objective.schema.ts';
import type { WeightLimits } from './weight-limits.ts';
import type { WeightRow } from './weight-rows.ts';

/** A limit on a volatility, with the JSON pointer to the member of the request that sets the limit. */
export type NamedCap = VolatilityCap & { pointer: string };

/**
 * The choice of weights in numbers: objective, estimates and limits. All rates are annual, except the returns
 * in `series`.
 */
export type AllocationProblem = {
  symbols: readonly string[];
  objective: Objective;
  covariance: Matrix;
  /** The elements of the covariance matrix, row by row. */
  elements: Float64Array;
  volatilities: Float64Array;
  /** K series, each of N returns of one period. */
  series: readonly Float64Array[];
  means: Float64Array | null;
  riskFree: number;
  benchmark: Float64Array | null;
  before: Float64Array;
  /** Sum of the weights. */
  budget: number;
  limits: WeightLimits;
  rows: readonly WeightRow[];
  caps: readonly NamedCap[];
  /** Costs, taxes and turnover. `max` of the first term is the limit on the turnover. */
  terms: readonly AbsoluteTerm[];
  positionsMax: number | null;
  /** Indices of the assets that may be held. */
  permitted: readonly number[];
};

/**
 * The shadow price of a limit: the change of the objective for one unit of the limit. `pointer` is the JSON
 * pointer to the member of the request that sets the limit.
 */
export type ShadowPrice = { pointer: string; symbol: string | null; shadowPrice: number };

export type Allocation = {
  weights: Float64Array;
  prices: ShadowPrice[];
  /**
   * Largest violation of the optimality conditions; null for the weights of a rule that satisfy all
   * constraints.
   */
  kktResidual: number | null;
  /** Whether the weights of a rule were moved to meet the constraints. */
  isAdjusted: boolean;
};

/**
 * Corrects the rounding error of the sum of the weights. The correction is added to the weight that is
 * farthest from its limits; of several such weights, to the first.
 */
export function withExactSum({ budget, limits }: AllocationProblem, weights: Float64Array): Float64Array {
  const exact = weights.slice();
  let [sum, widest, room] = [0, 0, -Infinity];
  for (let k = 0; k < exact.length; k += 1) {
    sum += exact[k]!;
    const free = Math.min(exact[k]! - limits.lower[k]!, limits.upper[k]! - exact[k]!);
    if (free > room) [widest, room] = [k, free];
  }
  exact[widest]! += budget - sum;
  return exact;
}

export type AllocationVerdict =
  | { ok: true; allocation: Allocation }
  | { ok: false; reason: 'infeasible' }
  | { ok: false; reason: 'cap_infeasible'; cap: NamedCap; smallest: number };
