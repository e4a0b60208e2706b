import type { Matrix } from 'ml-matrix';
import { columnProducts } from '../column-products.ts';
import { matrixOf } from '../matrix.ts';
import { lowerCholesky } from '../scenario/lower-cholesky.ts';
import { SYSTEMS, triangularSolves, type TriangularSolves } from '../triangular-solves.ts';
import { scaleRow, scalingOf, type FittedDetector, type Scaling, type Scores, type Table } from './table.ts';

const RIDGE = 1e-9;

/**
 * Fits the squared Mahalanobis distance from the mean under the population covariance of the standardised columns,
 * shrunk towards the identity by `shrinkage` (0 none, 1 full). A singular covariance is shrunk by 1e-9 first, and then
 * by ten times more at each attempt, until it is regular.
 *
 * Source: Mahalanobis (1936); Ledoit and Wolf (2004) for the form of the shrinkage. Contributions: the term z_i (S^-1
 * z)_i of each column, which can be below 0. Throws a `RangeError` on values whose sums or squares leave the range of a
 * double.
 */
export function fitMahalanobis(reference: Table, shrinkage = 0): FittedDetector {
  const scaling = scalingOf(reference);
  const lower = factorOf(reference, scaling, shrinkage);
  const score = (rows: Table) => scoresOf(rows, scaling, lower);
  return { reference: () => score(reference), score };
}

function scoresOf({ values, dimensions: D }: Table, scaling: Scaling, lower: Matrix): Scores {
  const scores = new Float64Array(values.length / D);
  const contributions = new Float64Array(values.length);
  const solves = triangularSolves(lower);
  for (let first = 0; first < scores.length; first += SYSTEMS)
    scoreSome(first, values, scaling, solves, scores, contributions);
  return { scores, contributions };
}

/**
 * Scores a block of rows, for which the equations are solved together. At the start, the array of contributions
 * contains the standardised values of the rows.
 */
function scoreSome(
  first: number,
  values: Float64Array,
  scaling: Scaling,
  solves: TriangularSolves,
  scores: Float64Array,
  contributions: Float64Array,
): void {
  const D = scaling.means.length;
  const end = Math.min(first + SYSTEMS, scores.length);
  for (let row = first; row < end; row += 1) {
    scaleRow(values, row * D, scaling, contributions, row * D);
    putIn(contributions, row * D, D, solves.values, row - first);
  }
  solves.forward();
  for (let row = first; row < end; row += 1) scores[row] = solves.squares[row - first]!;
  solves.backward();
  for (let row = first; row < end; row += 1)
    multiplyBy(contributions, row * D, D, solves.values, row - first);
}

/** Copies a row to its position in a block of systems that are solved together. */
function putIn(rows: Float64Array, from: number, D: number, systems: Float64Array, system: number): void {
  for (let d = 0; d < D; d += 1) systems[d * SYSTEMS + system] = rows[from + d]!;
}

function multiplyBy(
  rows: Float64Array,
  from: number,
  D: number,
  systems: Float64Array,
  system: number,
): void {
  for (let d = 0; d < D; d += 1) rows[from + d]! *= systems[d * SYSTEMS + system]!;
}

/** Returns the Cholesky factor of the shrunk covariance. */
function factorOf({ values, dimensions: D }: Table, scaling: Scaling, shrinkage: number): Matrix {
  const count = values.length / D;
  const products = columnProducts(count, D, (row, to, at) => scaleRow(values, row * D, scaling, to, at));
  const covariance = products.div(count);
  for (let lambda = shrinkage; ; lambda = Math.min(1, Math.max(RIDGE, 10 * lambda))) {
    const shrunk = matrixOf(D, D, (a, b) => (1 - lambda) * covariance.get(a, b) + (a === b ? lambda : 0));
    const lower = lowerCholesky(shrunk);
    if (lower) return lower;
    if (lambda === 1) throw new RangeError('the values are too large for a covariance');
  }
}
