import type { Matrix } from 'ml-matrix';
import { inverseRiskWeights } from './inverse-risk.ts';
import { leafOrder, singleLinkage } from './single-linkage.ts';

export type HierarchicalRiskParity = {
  /** K weights, above 0, with sum 1. */
  weights: Float64Array;
  /** The indices of the assets, in the order of the leaves of the tree. */
  order: number[];
};

/**
 * Returns the hierarchical risk parity portfolio: single-linkage clusters of the distances sqrt((1 -
 * correlation) / 2), the leaves from left to right, and recursive bisection. Each bisection divides the
 * weight of a cluster between its two halves, in inverse proportion to the variances of their
 * inverse-variance portfolios. Two halves without variance get equal weights.
 *
 * Shapes: `covariance` is K-by-K; so is `correlation`, by default the correlation matrix of `covariance`.
 * Pass another matrix only if both matrices were estimated pair by pair. The left branch is the cluster that
 * was formed first; single assets are treated as formed before any cluster, in the order of the assets.
 * Callers that sort the assets by symbol get weights that do not depend on the order of their data.
 * Errors: `RangeError` if a variance is not above 0.
 * Source: Lopez de Prado, "Building Diversified Portfolios that Outperform Out of Sample" (Journal of
 * Portfolio Management 42, 2016), with the distance itself instead of the distance of distances.
 *
 * Example: for uncorrelated assets with variances 1 and 3 the weights are [0.75, 0.25].
 */
export function hierarchicalRiskParity(covariance: Matrix, correlation?: Matrix): HierarchicalRiskParity {
  const K = covariance.rows;
  const deviations = Float64Array.from({ length: K }, (_, k) => Math.sqrt(covariance.get(k, k)));
  if (!deviations.every((deviation) => deviation > 0)) throw new RangeError('a variance is not above 0');
  const distance = (a: number, b: number): number => {
    const similar = correlation?.get(a, b) ?? covariance.get(a, b) / (deviations[a]! * deviations[b]!);
    return Math.sqrt(Math.min(Math.max((1 - similar) / 2, 0), 1));
  };
  const order = leafOrder(K, singleLinkage(K, distance));
  const weights = new Float64Array(K).fill(1);
  bisect(covariance, order, weights);
  return { weights, order };
}

function bisect(covariance: Matrix, order: readonly number[], weights: Float64Array): void {
  const open: [start: number, end: number][] = [[0, order.length]];
  while (open.length > 0) {
    const [start, end] = open.pop()!;
    if (end - start < 2) continue;
    const middle = start + Math.floor((end - start) / 2);
    const [left, right] = [order.slice(start, middle), order.slice(middle, end)];
    const [risk, other] = [clusterVariance(covariance, left), clusterVariance(covariance, right)];
    const share = risk + other > 0 ? other / (risk + other) : 0.5;
    for (const asset of left) weights[asset]! *= share;
    for (const asset of right) weights[asset]! *= 1 - share;
    open.push([middle, end], [start, middle]);
  }
}

/** Returns the variance of the inverse-variance portfolio of a cluster. */
function clusterVariance(covariance: Matrix, assets: readonly number[]): number {
  const weights = inverseRiskWeights(assets.map((asset) => covariance.get(asset, asset)));
  let variance = 0;
  for (const [a, one] of assets.entries())
    for (const [b, other] of assets.entries())
      variance += weights[a]! * weights[b]! * covariance.get(one, other);
  return Math.max(variance, 0);
}
