import { riskContributions } from '#lib/numerics/optimisation/risk-contributions.ts';
import type { Matrix } from 'ml-matrix';

/** Returns the volatility of weights less a reference. Without a reference, returns the volatility of the weights. */
export function volatilityOf(covariance: Matrix, weights: Float64Array, reference?: Float64Array): number {
  const active = reference ? weights.map((weight, k) => weight - reference[k]!) : weights;
  return riskContributions(covariance, active).volatility;
}

/** Returns the return of a portfolio with fixed weights in each period. `series` has K rows of N returns. */
export function portfolioReturns(series: readonly ArrayLike<number>[], weights: Float64Array): Float64Array {
  const returns = new Float64Array(series[0]?.length ?? 0);
  for (const [k, values] of series.entries()) {
    const weight = weights[k]!;
    if (weight !== 0) for (let t = 0; t < returns.length; t += 1) returns[t]! += weight * values[t]!;
  }
  return returns;
}
