import { CholeskyDecomposition, Matrix } from 'ml-matrix';
import type { Hierarchy } from './hierarchy.ts';

/** The least variance of a series, as a share of the largest one. */
const VARIANCE_FLOOR = 1e-12;
/** The least square of a pivot of the scaled equations. Below it, the solution consists of rounding errors. */
const PIVOT_MIN = 1e-12;
/** The share by which all variances are raised if the equations are nearly singular. */
const RIDGE = 1e-6;

/**
 * Returns the matrix M (series by series) for which M y is the coherent forecast nearest to the base forecasts y, where
 * distance is measured by the inverse of the covariance W of the base errors: M = I - W C' (C W C')^-1 C. Each row of C
 * states that a total less its leaves is 0. With the covariance of the errors, M minimises the variance of every
 * reconciled forecast among all unbiased linear reconciliations (MinT). The covariance is symmetric, with zero or
 * positive variances. If the errors of a total and of its parts cancel in every case, all variances are raised slightly,
 * so that a gap is shared by the variances. If the equations stay nearly singular, as for totals that count a part very
 * often, the leaves keep their forecasts. Without totals, M is the identity.
 *
 * Source: Wickramasuriya, Athanasopoulos and Hyndman (2019), theorem 1 and equation 9.
 */
export function reconcilingMatrix(hierarchy: Hierarchy, covariance: Matrix): Matrix {
  const { leaves, coefficients, order } = hierarchy;
  const series = coefficients.length;
  if (order.length === 0) return Matrix.eye(series);
  const constraints = Matrix.zeros(order.length, series);
  for (const [row, { total }] of order.entries()) {
    constraints.set(row, total, 1);
    for (const [at, leaf] of leaves.entries()) constraints.set(row, leaf, -coefficients[total]![at]!);
  }
  const weights = withFloor(covariance);
  const correction = correctionOf(constraints, weights) ?? correctionOf(constraints, withRidge(weights));
  return correction ? Matrix.sub(Matrix.eye(series), correction) : bottomUpMatrix(hierarchy);
}

/**
 * Returns W C' (C W C')^-1 C; undefined if the equations are nearly singular, because the errors of a total and of its
 * parts cancel in every case.
 */
function correctionOf(constraints: Matrix, weights: Matrix): Matrix | undefined {
  const gain = weights.mmul(constraints.transpose());
  const middle = constraints.mmul(gain);
  const { rows } = constraints;
  // Each row is scaled by the variance that it would have without correlations, because totals can be far larger than
  // their parts.
  const scales = Array.from({ length: rows }, (_, row) => {
    const variance = constraints
      .getRow(row)
      .reduce((sum, count, at) => sum + count * count * weights.get(at, at), 0);
    return 1 / Math.sqrt(variance);
  });
  const scaled = Matrix.zeros(rows, rows);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column <= row; column += 1) {
      const value = middle.get(row, column) * scales[row]! * scales[column]!;
      scaled.set(row, column, value);
      scaled.set(column, row, value);
    }
  }
  const factor = new CholeskyDecomposition(scaled);
  const pivots = factor.lowerTriangularMatrix.diagonal();
  if (!pivots.every((pivot) => pivot * pivot > PIVOT_MIN)) return undefined;
  const right = constraints.clone();
  for (const [row, scale] of scales.entries()) right.mulRow(row, scale);
  const solved = factor.solve(right);
  for (const [row, scale] of scales.entries()) solved.mulRow(row, scale);
  return gain.mmul(solved);
}

/** Returns the matrix M that keeps the base forecasts of the leaves and adds them up. */
export function bottomUpMatrix({ leaves, coefficients }: Hierarchy): Matrix {
  const matrix = Matrix.zeros(coefficients.length, coefficients.length);
  for (const [row, counts] of coefficients.entries())
    for (const [at, leaf] of leaves.entries()) matrix.set(row, leaf, counts[at]!);
  return matrix;
}

function withFloor(covariance: Matrix): Matrix {
  const variances = covariance.diagonal();
  const largest = Math.max(...variances);
  if (largest === 0) return Matrix.eye(covariance.rows);
  const raised = covariance.clone();
  for (const [at, variance] of variances.entries()) {
    if (variance < VARIANCE_FLOOR * largest) raised.set(at, at, VARIANCE_FLOOR * largest);
  }
  return raised;
}

function withRidge(covariance: Matrix): Matrix {
  const raised = covariance.clone();
  for (const [at, variance] of covariance.diagonal().entries()) raised.set(at, at, (1 + RIDGE) * variance);
  return raised;
}
