import {
  cappedProgram,
  type CappedSolution,
  type CappedVerdict,
  type VolatilityCap,
} from './capped-program.ts';
import { increasingRoot } from './increasing-root.ts';
import type { PortfolioPolyhedron } from './portfolio-polyhedron.ts';
import { linearOptimum } from './portfolio-program.ts';
import type { StartSet } from './start-set.ts';

export type SharpeRequest = {
  means: Float64Array;
  /** The risk-free rate, for the same period as the means. */
  riskFree: number;
  /** Whether costs reduce the excess return. Default: true. */
  isNetOfCosts?: boolean;
  caps?: readonly VolatilityCap[];
};

export type SharpeVerdict =
  | { ok: true; solution: CappedSolution & { sharpe: number; excess: number } }
  | Exclude<CappedVerdict, { ok: true }>
  /**
   * No weights that satisfy the constraints have an excess return above 0. `largest` is the largest excess
   * return.
   */
  | { ok: false; reason: 'no_excess_return'; largest: number };

const DOUBLINGS_MAX = 200;

/**
 * Maximises the Sharpe ratio (mu'w - rf 1'w - costs) / sqrt(w'Sw) over prepared constraints and caps.
 *
 * Let e(w) be the excess return after costs. The optimum also minimises w'Sw / 2 - t e(w) for one t: the t at which
 * w'Sw = t e(w). This follows from the change of variable y = t w of Cornuejols and Tutuncu. The search is over t,
 * because the change of variable would also scale caps, turnover and costs.
 *
 * Source: Cornuejols and Tutuncu, "Optimization Methods in Finance" (2007), 8.2; Dinkelbach, "On Nonlinear
 * Fractional Programming" (Management Science 13, 1967), for the ratio.
 *
 * Example: if no bound binds, w is proportional to S^-1 (mu - rf).
 */
export function maximumSharpe(polyhedron: PortfolioPolyhedron, request: SharpeRequest): SharpeVerdict {
  const { means, riskFree, isNetOfCosts = true, caps = [] } = request;
  const linear = means.map((mean) => riskFree - mean);
  const costWeight = isNetOfCosts ? 1 : 0;
  const least = leastObjective(polyhedron, { linear, costWeight }, caps);
  if (!least.ok) return least;
  if (!(least.value < 0)) return { ok: false, reason: 'no_excess_return', largest: -least.value + 0 };

  let warm: StartSet | undefined;
  const at = (t: number) => {
    const slopes = linear.map((each) => t * each);
    const found = cappedProgram(
      polyhedron,
      { risk: 1, linear: slopes, costWeight: t * costWeight },
      caps,
      warm,
    );
    if (found.ok) warm = found.solution.active;
    return found;
  };
  const excessOf = ({ weights, cost }: CappedSolution) => {
    let excess = -costWeight * cost;
    for (let i = 0; i < weights.length; i += 1) excess -= linear[i]! * weights[i]!;
    return excess;
  };
  const value = (t: number): number => {
    const found = at(t);
    return found.ok ? t * excessOf(found.solution) - found.solution.variance : Number.NaN;
  };
  const safest = at(0);
  if (!safest.ok) return safest;
  let [high, above] = [-safest.solution.variance / least.value, Number.NaN];
  for (let doubling = 0; doubling < DOUBLINGS_MAX; doubling += 1) {
    above = value(high);
    if (above > 0) break;
    high *= 2;
  }
  if (!(above > 0)) return { ok: false, reason: 'not_solved' };
  const t = increasingRoot(value, { at: 0, value: -safest.solution.variance }, { at: high, value: above });
  const found = at(t);
  if (!found.ok) return found;
  const excess = excessOf(found.solution);
  return {
    ok: true,
    solution: { ...found.solution, excess, sharpe: excess / Math.sqrt(found.solution.variance) },
  };
}

function leastObjective(
  polyhedron: PortfolioPolyhedron,
  objective: { linear: Float64Array; costWeight: number },
  caps: readonly VolatilityCap[],
) {
  if (caps.length === 0) return linearOptimum(polyhedron, objective);
  const verdict = cappedProgram(polyhedron, { risk: 0, ...objective }, caps);
  return verdict.ok ? { ok: true as const, value: verdict.solution.objective } : verdict;
}
