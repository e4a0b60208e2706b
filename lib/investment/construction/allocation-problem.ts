import type { Matrix } from 'ml-matrix';
import type { VolatilityCap } from '#lib/numerics/optimisation/capped-program.ts';
import type { AbsoluteTerm } from '#lib/numerics/optimisation/portfolio-polyhedron.ts';
import type { Objective } from './construction-objective.schema.ts';
import type { WeightLimits } from './weight-limits.ts';
import type { WeightRow } from './weight-rows.ts';

/** A limit on a volatility, with the member of the request that sets it. */
export type NamedCap = VolatilityCap & { pointer: string };

/** The choice of weights in numbers: objective, estimates and limits. All rates are annual, except the series. */
export type AllocationProblem = {
  symbols: readonly string[];
  objective: Objective;
  covariance: Matrix;
  /** The same, row by row. */
  elements: Float64Array;
  volatilities: Float64Array;
  /** K series of N returns of one period. */
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
  /** Costs, taxes and turnover. The limit of the first term is that of the turnover. */
  terms: readonly AbsoluteTerm[];
  positionsMax: number | null;
  /** Places of the assets that may be held. */
  permitted: readonly number[];
};

/** The member of the request that a limit comes from, and the change of the objective for one unit of it. */
export type ShadowPrice = { pointer: string; symbol: string | null; shadowPrice: number };

export type Allocation = {
  weights: Float64Array;
  prices: ShadowPrice[];
  /** Largest violation of the conditions of optimality; null for a rule without constraints that bind. */
  kktResidual: number | null;
  /** Whether the weights of a rule were moved to meet the constraints. */
  isAdjusted: boolean;
};

/**
 * Returns weights with the rounding of their sum put on the weight that is farthest from its limits, the first of equals.
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
