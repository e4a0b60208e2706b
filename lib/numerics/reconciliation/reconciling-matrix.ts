import { CholeskyDecomposition, Matrix } from 'ml-matrix';
import type { Hierarchy } from './hierarchy.ts';

/** The least variance of a series, as a share of the largest one. It keeps the equations solvable if series have no errors. */
const VARIANCE_FLOOR = 1e-12;

/**
 * Returns the matrix M (series by series) for which M y is the coherent forecast nearest to the base forecasts y, where
 * distance is measured by the inverse of the covariance W of the base errors: M = I - W C' (C W C')^-1 C. Each row of C
 * states that a total less its leaves is 0. With the covariance of the errors, M minimises the variance of every
 * reconciled forecast among all unbiased linear reconciliations (MinT). The covariance is symmetric, with zero or
 * positive variances. Without totals, M is the identity.
 *
 * Source: Wickramasuriya, Athanasopoulos and Hyndman (2019), theorem 1 and equation 9.
 */
export function reconcilingMatrix({ leaves, coefficients, order }: Hierarchy, covariance: Matrix): Matrix {
  const series = coefficients.length;
  if (order.length === 0) return Matrix.eye(series);
  const constraints = Matrix.zeros(order.length, series);
  for (const [row, { total }] of order.entries()) {
    constraints.set(row, total, 1);
    for (const [at, leaf] of leaves.entries()) constraints.set(row, leaf, -coefficients[total]![at]!);
  }
  const weights = withFloor(covariance);
  const gain = weights.mmul(constraints.transpose());
  const middle = constraints.mmul(gain);
  // The rows of the equations are scaled to a unit diagonal, because the totals can be far larger than their parts.
  const scales = middle.diagonal().map((value) => 1 / Math.sqrt(value));
  const scaled = Matrix.zeros(order.length, order.length);
  for (let row = 0; row < order.length; row += 1) {
    for (let column = 0; column <= row; column += 1) {
      const value = middle.get(row, column) * scales[row]! * scales[column]!;
      scaled.set(row, column, value);
      scaled.set(column, row, value);
    }
  }
  const right = constraints.clone();
  for (const [row, scale] of scales.entries()) right.mulRow(row, scale);
  const solved = new CholeskyDecomposition(scaled).solve(right);
  for (const [row, scale] of scales.entries()) solved.mulRow(row, scale);
  return Matrix.sub(Matrix.eye(series), gain.mmul(solved));
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
