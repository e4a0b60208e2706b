import { type Matrix } from 'ml-matrix';
import { columnProducts } from '../column-products.ts';
import { centredSeries } from './centred-products.ts';

export type ShrunkCovariance = {
  covariance: Matrix;
  /** Weight of the shrinkage target, 0 to 1. */
  shrinkage: number;
};

/**
 * Returns the covariance matrix of Ledoit and Wolf: the population covariance (divisor N), shrunk towards the
 * identity times the mean variance, with the weight that minimises the expected squared error. The result is
 * positive definite if the weight and the mean variance are both above 0.
 *
 * Shapes: `series` has K rows of N values; the result is K-by-K, in the product of the units.
 * Errors: `RangeError` with fewer than two values or series of different lengths.
 * Source: Ledoit and Wolf, "A Well-Conditioned Estimator for Large-Dimensional Covariance Matrices" (Journal
 * of Multivariate Analysis 88, 2004), lemmas 3.2 to 3.5, with the means estimated.
 *
 * Example: [[1, -1, 1, -1], [1, 1, -1, -1]] has the shrinkage 0 and the identity as its covariance.
 */
export function ledoitWolf(series: readonly ArrayLike<number>[]): ShrunkCovariance {
  const centred = centredSeries(series);
  const [K, N] = [centred.length, centred[0]?.length ?? 0];
  const covariance = productsOf(centred, (value) => value).div(Math.max(N, 1));
  const squares = productsOf(centred, (value) => value * value);
  let [meanVariance, squaresTotal, covariancesSquared] = [0, 0, 0];
  for (let k = 0; k < K; k += 1) {
    meanVariance += covariance.get(k, k) / K;
    for (let l = 0; l < K; l += 1) {
      squaresTotal += squares.get(k, l);
      covariancesSquared += covariance.get(k, l) * covariance.get(k, l);
    }
  }
  const distance = covariancesSquared - K * meanVariance * meanVariance;
  const error = (squaresTotal / N - covariancesSquared) / N;
  const shrinkage = distance > 0 && error > 0 ? Math.min(error / distance, 1) : 0;
  covariance.mul(1 - shrinkage);
  for (let k = 0; k < K; k += 1) covariance.set(k, k, covariance.get(k, k) + shrinkage * meanVariance);
  return { covariance, shrinkage };
}

function productsOf(centred: readonly Float64Array[], each: (value: number) => number): Matrix {
  return columnProducts(centred[0]?.length ?? 0, centred.length, (row, to, at) => {
    for (let k = 0; k < centred.length; k += 1) to[at + k] = each(centred[k]![row]!);
  });
}
