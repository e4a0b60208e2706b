import { dot } from '#lib/numerics/dot-product.ts';
import { formatDecimal } from '#lib/core/decimal.ts';
import { riskContributions } from '#lib/numerics/optimisation/risk-contributions.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import type { AllocationProblem } from './allocation-problem.ts';
import type { Construction } from './construction.ts';
import type { ConstructionResult } from './construction-result.schema.ts';
import { constructionTrades } from './construction-trades.ts';
import type { Covariance } from './covariance.schema.ts';
import { frontier } from './frontier.ts';
import type { LimitedVerdict } from './limit-positions.ts';
import { volatilityOf } from './measures.ts';
import { objectiveValue } from './objective-value.ts';

/** Weights of at most this size are rounding errors and count as 0. */
const WEIGHT_MIN = 1e-14;

/**
 * Returns the result for solved weights: the trades, the risk, the binding limits, the inputs, and the hash
 * of the covariance.
 */
export function constructionResult(
  construction: Construction,
  solved: LimitedVerdict & { problem: AllocationProblem },
): { result: ConstructionResult; covariance: Covariance } {
  const { verdict, relaxed, problem } = solved;
  if (!verdict.ok) throw new Error('a verdict without weights has no result');
  const { input, position, estimates, constraints, assets } = construction;
  const { symbols, covariance, means, riskFree, benchmark, before } = problem;
  const { weights, prices, kktResidual, isAdjusted } = verdict.allocation;
  const contributions = riskContributions(covariance, weights);
  const { volatility } = contributions;
  const expected = means && dot(means, weights);
  const matrix = { symbols: [...symbols], covariance: covariance.to2DArray() };
  const shared = { problem, weights };
  const result: ConstructionResult = {
    currency: input.currency,
    value_minor: Number(position.valueMinor),
    weights: bySymbol(symbols, weights),
    before: bySymbol(symbols, before),
    ...constructionTrades(construction, weights, verdict.stretches),
    expected_return: expected,
    volatility,
    sharpe:
      expected === null || volatility === 0 ? null : (expected - riskFree * problem.budget) / volatility,
    tracking_error: benchmark && volatilityOf(covariance, weights, benchmark),
    turnover: turnoverOf(weights, before) + construction.outside.turnover,
    objective_value: objectiveValue(shared),
    objective_bound: relaxed && objectiveValue({ problem, weights: relaxed.allocation.weights }),
    heuristic: [...(relaxed ? ['positions_max' as const] : []), ...verdict.heuristics],
    adjusted: isAdjusted,
    risk_contributions: symbols.map((symbol, k) => ({
      symbol,
      marginal: contributions.marginal[k]!,
      component: contributions.component[k]!,
      share: contributions.share[k]!,
    })),
    binding: prices
      .filter(({ pointer }) => pointer !== '/constraints/cash_min' || constraints.cash_min !== undefined)
      .map(({ pointer, symbol, shadowPrice }) => ({ pointer, symbol, shadow_price: shadowPrice })),
    kkt_residual: kktResidual,
    frontier: frontier(problem, input.request.frontier_points ?? 0).map((point) => ({
      expected_return: point.expectedReturn,
      volatility: point.volatility,
      weights: bySymbol(symbols, point.weights),
    })),
    inputs: assets.map(({ symbol, price }, k) => ({
      symbol,
      mean: estimates.historicalMeans[k]!,
      expected_return: means && means[k]!,
      volatility: estimates.volatilities[k]!,
      coverage: estimates.coverage[k]!,
      price: price === null ? null : formatDecimal(price),
    })),
    observations: estimates.series[0]?.length ?? 0,
    shrinkage: estimates.shrinkage,
    covariance_sha256: canonicalHash(matrix),
  };
  return { result, covariance: matrix };
}

/** Returns, by symbol, the values that are not 0. */
export function bySymbol(symbols: readonly string[], values: Float64Array): Record<string, number> {
  return Object.fromEntries(
    symbols.flatMap((symbol, k) => (Math.abs(values[k]!) > WEIGHT_MIN ? [[symbol, values[k]!]] : [])),
  );
}

function turnoverOf(one: Float64Array, other: Float64Array): number {
  let total = 0;
  for (let k = 0; k < one.length; k += 1) total += Math.abs(one[k]! - other[k]!);
  return total;
}
