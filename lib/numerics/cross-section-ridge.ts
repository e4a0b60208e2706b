import { CholeskyDecomposition, Matrix } from 'ml-matrix';

/**
 * Moments of a cross-section of n observations y and K explanatory columns x. `sums[k]` is sum x_k,
 * `products` (K-by-K) has sum x_k x_l at k, l if k <= l, `crossProducts[k]` is sum x_k y, `meanY` is the mean of y.
 */
export type CrossSectionMoments = {
  observations: number;
  sums: Float64Array;
  products: Matrix;
  crossProducts: Float64Array;
  meanY: number;
};

export type RidgeFit = {
  /** The estimated intercept m, in the unit of y. */
  intercept: number;
  /** The estimated coefficients f, K values, in the unit of y per unit of x. */
  coefficients: Float64Array;
  /** Effective number of parameters: 1 + trace of the hat matrix of the penalised part, between 1 and K + 1. */
  effectiveParameters: number;
};

/**
 * The fit, or a refusal because columns are linearly dependent. `pivot` is the smallest ratio of a squared diagonal
 * element of L to the diagonal element of A. This ratio is the share of a column's variance that is independent of the
 * columns before it.
 */
export type RidgeVerdict = { ok: true; fit: RidgeFit } | { ok: false; pivot: number };

/** Minimum pivot, relative to the diagonal, for which a column counts as independent of the columns before it. */
export const PIVOT_MIN = 1e-12;

/**
 * Fits a ridge regression of a cross-section with an unpenalised intercept m:
 * minimise (1/n) sum (y_i - m - x_i'f)^2 + lambda sum_k var_k f_k^2, with var_k the population variance of x_k. This is
 * scikit-learn's `Ridge(alpha = lambda * n)` on standardised columns, so lambda does not depend on units, n or scale.
 *
 * With C = cov(x) (ddof 0), A = C with its diagonal times (1 + lambda) and b = cov(x, y), it solves A f = b by the
 * Cholesky decomposition of ml-matrix, whose order of operations is part of the definition. Effective parameters are 1
 * + K - lambda sum_k C_kk (A^-1)_kk.
 *
 * Refuses if a pivot is not above 1e-12 of its diagonal: without a penalty, linearly dependent columns have no unique
 * solution. Source: Hoerl and Kennard, "Ridge Regression" (Technometrics 1970), equation 2.1; Hastie, Tibshirani and
 * Friedman, "The Elements of Statistical Learning", equation 3.50, for the effective parameters.
 *
 * Example: y = (1, 3) on x = (0, 1) with lambda 1 gives the coefficient 1 (half of the coefficient 2 without a
 * penalty), the intercept 1.5, and 1.5 effective parameters.
 */
export function crossSectionRidge(moments: CrossSectionMoments, lambda: number): RidgeVerdict {
  const { observations: n, sums, products, crossProducts, meanY } = moments;
  const { columns } = products;
  const { penalised, variances } = penalisedCovariance(moments, lambda);
  const cholesky = new CholeskyDecomposition(penalised);
  const lower = cholesky.lowerTriangularMatrix;
  const { independent, pivot } = pivotTest(lower, penalised);
  if (!independent) return { ok: false, pivot };

  const b = Matrix.zeros(columns, 1);
  for (let k = 0; k < columns; k += 1) b.set(k, 0, (crossProducts[k]! - sums[k]! * meanY) / n);
  const coefficients = Float64Array.from(cholesky.solve(b).to1DArray());
  const inverseDiagonal = diagonalOfInverse(lower);
  let intercept = meanY;
  let shrunk = 0;
  for (let k = 0; k < columns; k += 1) {
    intercept -= (sums[k]! / n) * coefficients[k]!;
    shrunk += variances[k]! * inverseDiagonal[k]!;
  }
  return { ok: true, fit: { intercept, coefficients, effectiveParameters: 1 + columns - lambda * shrunk } };
}

/**
 * Returns A: cov_kl = (sum x_k x_l - sum x_k sum x_l / n) / n, symmetric to the bit, with the diagonal times (1 +
 * lambda).
 */
function penalisedCovariance(
  { observations: n, sums, products }: CrossSectionMoments,
  lambda: number,
): { penalised: Matrix; variances: Float64Array } {
  const { columns } = products;
  const penalised = Matrix.zeros(columns, columns);
  const variances = new Float64Array(columns);
  for (let k = 0; k < columns; k += 1) {
    for (let l = k; l < columns; l += 1) {
      const covariance = (products.get(k, l) - (sums[k]! * sums[l]!) / n) / n;
      penalised.set(k, l, covariance);
      penalised.set(l, k, covariance);
    }
    variances[k] = penalised.get(k, k);
    penalised.set(k, k, variances[k]! * (1 + lambda));
  }
  return { penalised, variances };
}

/**
 * Tests whether every squared diagonal element of L is above 1e-12 of the diagonal element of A. Also returns
 * the smallest of these ratios.
 */
function pivotTest(lower: Matrix, matrix: Matrix): { independent: boolean; pivot: number } {
  let pivot = Number.POSITIVE_INFINITY;
  let independent = true;
  for (let k = 0; k < matrix.rows; k += 1) {
    const diagonal = matrix.get(k, k);
    const root = lower.get(k, k);
    // If the remainder of a diagonal element rounds to 0 or less, ml-matrix sets the element of L to 0, so the ratio is
    // 0.
    if (!(diagonal > 0 && root * root > PIVOT_MIN * diagonal)) independent = false;
    pivot = Math.min(pivot, diagonal > 0 ? (root * root) / diagonal : 0);
  }
  return { independent, pivot };
}

/**
 * Returns the diagonal of (L L')^-1: for each k the sum of squares of the solution u of L u = e_k, which starts at row
 * k.
 */
function diagonalOfInverse(lower: Matrix): Float64Array {
  const size = lower.rows;
  const diagonal = new Float64Array(size);
  const u = new Float64Array(size);
  for (let k = 0; k < size; k += 1) {
    let squares = 0;
    for (let i = k; i < size; i += 1) {
      let remainder = i === k ? 1 : 0;
      for (let j = k; j < i; j += 1) remainder -= lower.get(i, j) * u[j]!;
      u[i] = remainder / lower.get(i, i);
      squares += u[i]! * u[i]!;
    }
    diagonal[k] = squares;
  }
  return diagonal;
}
