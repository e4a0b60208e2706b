import { fisherTail } from '../distributions/student-t.ts';
import { matrixOf } from '../matrix.ts';
import { forwardSolve, lowerCholesky } from '../scenario/lower-cholesky.ts';

export type Hotelling = {
  /** Squared Mahalanobis distance between the two means, under the pooled covariance. */
  distanceSquared: number;
  statistic: number;
  f: number;
  p: number;
};

/**
 * Runs Hotelling's test of equal means of two samples of points.
 *
 * Shapes: `points` holds rows of D numbers, the first `n` rows from the reference. T2 = n m / (n + m) d' S^-1 d with
 * the pooled covariance S (divided by n + m - 2). Returns null if S is singular, or if n + m - D - 1 is below 1.
 * Source: Hotelling, "The Generalization of Student's Ratio" (1931).
 */
export function hotelling(points: Float64Array, dimensions: number, n: number): Hotelling | null {
  const D = dimensions;
  const size = points.length / D;
  const m = size - n;
  if (n < 1 || m < 1 || size - D - 1 < 1) return null;
  const [before, after] = [meanOf(points, D, 0, n), meanOf(points, D, n, size)];
  const pooled = new Float64Array(D * D);
  for (let row = 0; row < size; row += 1) {
    const centre = row < n ? before : after;
    for (let a = 0; a < D; a += 1)
      for (let b = 0; b < D; b += 1)
        pooled[a * D + b]! += (points[row * D + a]! - centre[a]!) * (points[row * D + b]! - centre[b]!);
  }
  const lower = lowerCholesky(matrixOf(D, D, (a, b) => pooled[a * D + b]! / (size - 2)));
  if (!lower) return null;
  let distanceSquared = 0;
  for (const each of forwardSolve(
    lower,
    before.map((each, d) => each - after[d]!),
  ))
    distanceSquared += each * each;
  const statistic = ((n * m) / size) * distanceSquared;
  const f = (statistic * (size - D - 1)) / (D * (size - 2));
  return { distanceSquared, statistic, f, p: fisherTail(f, D, size - D - 1) };
}

function meanOf(points: Float64Array, D: number, from: number, to: number): Float64Array {
  const mean = new Float64Array(D);
  for (let row = from; row < to; row += 1) for (let d = 0; d < D; d += 1) mean[d]! += points[row * D + d]!;
  return mean.map((each) => each / (to - from));
}
