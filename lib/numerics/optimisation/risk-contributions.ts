import type { Matrix } from 'ml-matrix';

export type RiskContributions = {
  /** Volatility sqrt(w'Sw). */
  volatility: number;
  /** Marginal contributions (Sw)_k / volatility: the change of the volatility per unit of weight. */
  marginal: Float64Array;
  /** Components w_k (Sw)_k / volatility, which add up to the volatility. */
  component: Float64Array;
  /** Components divided by the volatility, which add up to 1. */
  share: Float64Array;
};

/**
 * Returns the contributions of assets to the volatility of a portfolio (Euler's decomposition).
 *
 * Shapes: `covariance` K-by-K, `weights` K. For a portfolio without variance, all results are 0.
 * Errors: `RangeError` if shapes differ.
 * Source: Litterman, "Hot Spots and Hedges" (Journal of Portfolio Management 23, 1996).
 *
 * Example: uncorrelated assets with variances 1 and 4 and the weights [0.5, 0.5] have the shares [0.2, 0.8].
 */
export function riskContributions(covariance: Matrix, weights: ArrayLike<number>): RiskContributions {
  const K = covariance.rows;
  if (weights.length !== K) throw new RangeError(`there must be ${K} weights`);
  const product = new Float64Array(K);
  let variance = 0;
  for (let k = 0; k < K; k += 1) {
    for (let l = 0; l < K; l += 1) product[k]! += covariance.get(k, l) * weights[l]!;
    variance += weights[k]! * product[k]!;
  }
  if (!(variance > 0)) {
    const none = () => new Float64Array(K);
    return { volatility: 0, marginal: none(), component: none(), share: none() };
  }
  const volatility = Math.sqrt(variance);
  const marginal = product.map((each) => each / volatility);
  const component = marginal.map((each, k) => weights[k]! * each);
  return { volatility, marginal, component, share: component.map((each) => each / volatility) };
}
