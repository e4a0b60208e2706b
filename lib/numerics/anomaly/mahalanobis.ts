import { backwardSolve, forwardSolve, lowerCholesky } from '../scenario/lower-cholesky.ts';
import { scaled, scalingOf, type FittedDetector, type Scores, type Table } from './table.ts';

const RIDGE = 1e-9;

/**
 * Squared Mahalanobis distance from the mean under the population covariance of the standardised columns, shrunk towards
 * the identity by `shrinkage` (0 none, 1 all). A singular covariance is shrunk by 1e-9, and ten times more until it is not.
 *
 * Source: Mahalanobis (1936); Ledoit and Wolf (2004) for the form of the shrinkage. Contributions: each column's part
 * z_i (S^-1 z)_i, which may be below 0.
 */
export function fitMahalanobis(reference: Table, shrinkage = 0): FittedDetector {
  const { dimensions } = reference;
  const scaling = scalingOf(reference);
  const lower = factorOf(scaled(reference, scaling), shrinkage);
  const score = (rows: Table): Scores => {
    const { values } = scaled(rows, scaling);
    const scores = new Float64Array(values.length / dimensions);
    const contributions = new Float64Array(values.length);
    const solved = new Float64Array(dimensions);
    for (let row = 0, from = 0; row < scores.length; row += 1, from += dimensions) {
      for (let d = 0; d < dimensions; d += 1) solved[d] = values[from + d]!;
      forwardSolve(lower, dimensions, solved);
      let total = 0;
      for (let d = 0; d < dimensions; d += 1) total += solved[d]! * solved[d]!;
      scores[row] = total;
      backwardSolve(lower, dimensions, solved);
      for (let d = 0; d < dimensions; d += 1) contributions[from + d] = values[from + d]! * solved[d]!;
    }
    return { scores, contributions };
  };
  return { reference: () => score(reference), score };
}

function factorOf({ values, dimensions: D }: Table, shrinkage: number): Float64Array {
  const rows = values.length / D;
  const covariance = new Float64Array(D * D);
  for (let from = 0; from < values.length; from += D)
    for (let a = 0; a < D; a += 1) {
      const one = values[from + a]!;
      for (let b = 0; b <= a; b += 1) covariance[a * D + b]! += one * values[from + b]!;
    }
  for (let a = 0; a < D; a += 1)
    for (let b = 0; b < a; b += 1) covariance[b * D + a] = covariance[a * D + b]!;
  for (let at = 0; at < covariance.length; at += 1) covariance[at]! /= rows;
  for (let lambda = shrinkage; ; lambda = Math.min(1, Math.max(RIDGE, 10 * lambda))) {
    const shrunk = covariance.map((each, at) => (1 - lambda) * each + (at % (D + 1) === 0 ? lambda : 0));
    const lower = lowerCholesky(shrunk, D);
    if (lower) return lower;
  }
}
