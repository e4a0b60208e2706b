import { conditionalDrawdown } from '#lib/numerics/optimisation/conditional-drawdown.ts';
import { conditionalValueAtRisk } from '#lib/numerics/optimisation/conditional-value-at-risk.ts';
import { meanAbsoluteDeviation } from '#lib/numerics/optimisation/mean-absolute-deviation.ts';
import { minimumRisk } from '#lib/numerics/optimisation/minimum-risk.ts';
import type { AbsoluteTerm, PortfolioPolyhedron } from '#lib/numerics/optimisation/portfolio-polyhedron.ts';
import type { ReturnTable, RiskMeasure } from '#lib/numerics/optimisation/risk-measure.ts';
import { type AllocationProblem, type AllocationVerdict, withExactSum } from './allocation-problem.ts';
import { conflictOf } from './conflict-of.ts';
import type { Objective } from './construction-objective.schema.ts';
import type { TailObjective } from './tail-risk.ts';

/** Whether an objective is a tail risk, which is computed from the returns of past periods. */
export function isTail(objective: Objective): objective is TailObjective {
  return ['minimum_cvar', 'minimum_cdar', 'minimum_mad'].includes(objective.kind);
}

/**
 * Chooses the weights with the smallest sum of tail risk and costs. Of several such weights, chooses the
 * weights with the smallest variance. There are no shadow prices.
 */
export function allocateByTail(
  problem: AllocationProblem,
  polyhedron: PortfolioPolyhedron,
  objective: TailObjective,
): AllocationVerdict {
  const measure = measureOf(objective, tableOf(problem.series));
  const verdict = minimumRisk(polyhedron, withCosts(measure, problem));
  if (!verdict.ok) {
    if (verdict.reason === 'infeasible' || conflictOf(problem)) return { ok: false, reason: 'infeasible' };
    throw new Error(`the objective ${objective.kind} was not solved`);
  }
  const weights = withExactSum(problem, verdict.solution.weights);
  return { ok: true, allocation: { weights, prices: [], kktResidual: null, isAdjusted: false } };
}

function measureOf(objective: TailObjective, table: ReturnTable): RiskMeasure {
  switch (objective.kind) {
    case 'minimum_cvar':
      return conditionalValueAtRisk(table, objective.level ?? 0.95);
    case 'minimum_cdar':
      return conditionalDrawdown(table, objective.level ?? 0.95);
    case 'minimum_mad':
      return meanAbsoluteDeviation(table);
  }
}

function tableOf(series: readonly Float64Array[]): ReturnTable {
  const [assets, count] = [series.length, series[0]?.length ?? 0];
  const returns = new Float64Array(assets * count);
  for (const [k, values] of series.entries())
    for (let t = 0; t < count; t += 1) returns[t * assets + k] = values[t]!;
  return { assets, returns };
}

/**
 * Adds the costs to a risk measure. A measure must be linear in the weights without a constant term. The
 * constant terms of the costs are therefore divided by the sum of the weights, which is fixed, and added to
 * every slope.
 */
function withCosts(measure: RiskMeasure, { terms, budget, limits }: AllocationProblem): RiskMeasure {
  const priced = terms.filter(({ purchase, sale }) =>
    [purchase, sale].some((each) => each?.some((slope) => slope !== 0)),
  );
  if (priced.length === 0 || !(budget > 0)) return measure;
  return {
    assets: measure.assets,
    scale: Math.max(measure.scale, largestRate(priced)),
    floor: (lower, upper) => measure.floor(lower, upper) - largestCost(priced, lower, upper),
    at(weights) {
      const { value, slope } = measure.at(weights);
      const costs = costsAt(priced, weights, limits.upper);
      const spread = costs.constant / budget;
      return {
        value: value + costs.value,
        slope: slope.map((each, k) => each + costs.slope[k]! + spread),
      };
    },
  };
}

function largestRate(terms: readonly AbsoluteTerm[]): number {
  const rates = terms.flatMap(({ purchase, sale }) => [...(purchase ?? []), ...(sale ?? [])]);
  return rates.reduce((most, rate) => Math.max(most, Math.abs(rate)), 0);
}

/**
 * Returns the costs at some weights, with their slopes and constant terms. If the tax saving of a loss exceeds the
 * costs of selling and buying at once, the bounds allow only one direction of trading. The slope of this direction then
 * also applies at the weight before the trades.
 */
function costsAt(terms: readonly AbsoluteTerm[], weights: Float64Array, upper: Float64Array) {
  const slope = new Float64Array(weights.length);
  let [value, constant] = [0, 0];
  for (const { from, purchase, sale } of terms) {
    for (let k = 0; k < weights.length; k += 1) {
      const [buy, sell] = [purchase?.[k] ?? 0, sale?.[k] ?? 0];
      const isPurchase = buy + sell < 0 ? upper[k]! > from[k]! : weights[k]! >= from[k]!;
      const own = isPurchase ? buy : -sell;
      slope[k]! += own;
      constant -= own * from[k]!;
      value += own * (weights[k]! - from[k]!);
    }
  }
  return { slope, value, constant };
}

function largestCost(terms: readonly AbsoluteTerm[], lower: Float64Array, upper: Float64Array): number {
  let total = 0;
  for (const { from, purchase, sale } of terms) {
    for (let k = 0; k < from.length; k += 1) {
      const rate = Math.max(Math.abs(purchase?.[k] ?? 0), Math.abs(sale?.[k] ?? 0));
      total += rate * Math.max(Math.abs(upper[k]! - from[k]!), Math.abs(lower[k]! - from[k]!));
    }
  }
  return total;
}
