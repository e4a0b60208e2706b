import { Matrix } from 'ml-matrix';
import { hierarchicalRiskParity } from '#lib/numerics/optimisation/hierarchical-risk-parity.ts';
import { inverseRiskWeights } from '#lib/numerics/optimisation/inverse-risk.ts';
import { riskBudget } from '#lib/numerics/optimisation/risk-budget.ts';
import type { Objective } from './construction-objective.schema.ts';
import { fault, refused } from './construction-refusal.ts';

/** The objectives whose weights follow from a rule instead of an optimisation with constraints. */
type RuleObjective = Extract<
  Objective,
  { kind: 'risk_budget' | 'hierarchical_risk_parity' | 'inverse_volatility' | 'equal' }
>;

const kinds = new Set(['risk_budget', 'hierarchical_risk_parity', 'inverse_volatility', 'equal']);

/** Whether a rule determines the weights of an objective. */
export function isRule(objective: Objective): objective is RuleObjective {
  return kinds.has(objective.kind);
}

/**
 * Returns the weights of a rule: the permitted assets have weights with sum 1, and the other assets have the
 * weight 0. Refuses an asset without variance (`not_identifiable`), and a risk budget for a symbol that is
 * not permitted.
 */
export function ruleWeights(
  objective: RuleObjective,
  {
    symbols,
    covariance,
    permitted,
  }: {
    symbols: readonly string[];
    covariance: Matrix;
    permitted: readonly number[];
  },
): Float64Array {
  const own = covariance.selection([...permitted], [...permitted]);
  const names = permitted.map((k) => symbols[k]!);
  if (objective.kind !== 'equal') requireVariance(own, names);
  const weights = new Float64Array(symbols.length);
  for (const [at, weight] of weightsOf(objective, own, names).entries()) weights[permitted[at]!] = weight;
  return weights;
}

function weightsOf(objective: RuleObjective, covariance: Matrix, symbols: readonly string[]): Float64Array {
  switch (objective.kind) {
    case 'equal':
      return new Float64Array(symbols.length).fill(1 / symbols.length);
    case 'inverse_volatility':
      return inverseRiskWeights(symbols.map((_, k) => Math.sqrt(covariance.get(k, k))));
    case 'hierarchical_risk_parity':
      return hierarchicalRiskParity(covariance).weights;
    case 'risk_budget':
      return riskBudget(covariance, budgetOf(objective.budget, symbols)).weights;
  }
}

function budgetOf(
  budget: Readonly<Record<string, number>> | undefined,
  symbols: readonly string[],
): number[] {
  if (!budget) return symbols.map(() => 1);
  const shares = symbols.map((symbol) => (Object.hasOwn(budget, symbol) ? budget[symbol]! : 0));
  if (shares.some((share) => share > 0)) return shares;
  throw fault('/objective/budget', 'minimum', 'must have a budget above 0 for a symbol of the universe');
}

function requireVariance(covariance: Matrix, symbols: readonly string[]): void {
  const constant = symbols.filter((_, k) => !(covariance.get(k, k) > 0));
  if (constant.length === 0) return;
  const detail = `The returns of ${constant.slice(0, 20).join(', ')} do not vary, so the risk does not determine any weights.`;
  throw refused('not_identifiable', detail, { symbols: constant.slice(0, 20), observed: 0, needed: 1e-12 });
}
