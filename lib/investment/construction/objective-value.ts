import { dot } from '#lib/numerics/dot-product.ts';
import type { AllocationProblem } from './allocation-problem.ts';
import { portfolioReturns, volatilityOf } from './measures.ts';
import { tailRisk } from './tail-risk.ts';

/**
 * Returns the value of an objective at weights, without costs and taxes: a variance, a ratio, a utility, a
 * return, or a tail risk of one period. Returns null for a rule.
 */
export function objectiveValue({
  problem,
  weights,
}: {
  problem: AllocationProblem;
  weights: Float64Array;
}): number | null {
  const { objective, covariance, means, riskFree, benchmark, volatilities, series } = problem;
  const volatility = volatilityOf(covariance, weights);
  const variance = volatility * volatility;
  const expected = means ? dot(means, weights) : 0;
  switch (objective.kind) {
    case 'minimum_variance':
    case 'target_return':
      return variance;
    case 'maximum_sharpe':
      return (expected - riskFree * problem.budget) / volatility;
    case 'mean_variance':
      return expected - (objective.risk_aversion / 2) * variance;
    case 'target_volatility':
      return expected;
    case 'minimum_tracking_error':
      return volatilityOf(covariance, weights, benchmark!);
    case 'maximum_diversification':
      return dot(volatilities, weights) / volatility;
    case 'minimum_cvar':
    case 'minimum_cdar':
    case 'minimum_mad':
      return tailRisk(objective, portfolioReturns(series, weights));
    default:
      return null;
  }
}
