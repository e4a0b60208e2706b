import { averageRanks } from '../average-ranks.ts';
import { exp } from '../exponential.ts';
import { matrixOf } from '../matrix.ts';
import { backwardSolve, forwardSolve, lowerCholesky } from '../scenario/lower-cholesky.ts';

const FOLDS = 5;
const STEPS_MAX = 100;

/**
 * Returns how well a classifier separates the current rows from the reference: the area under its ROC curve on rows
 * that were not used for the fit. The area is about 0.5 if the classifier cannot separate the rows. The classifier uses
 * each column and the square of each column, so that it also detects changes of spread.
 *
 * Shapes: `points` holds standardised rows of D numbers, the first `n` rows from the reference. Row i of each sample is
 * scored by the model fitted to the other four of five folds (i mod 5). Logistic regression with the penalty |w|^2 / 2,
 * the intercept unpenalised.
 * Source: Lopez-Paz and Oquab, "Revisiting Classifier Two-Sample Tests" (2017); Newton's method.
 */
export function domainClassifierArea(points: Float64Array, dimensions: number, n: number): number {
  const size = points.length / dimensions;
  const width = 2 * dimensions + 1;
  const features = new Float64Array(size * width);
  for (let row = 0; row < size; row += 1) {
    features[row * width] = 1;
    for (let d = 0; d < dimensions; d += 1) {
      const z = points[row * dimensions + d]!;
      features[row * width + 1 + d] = z;
      features[row * width + 1 + dimensions + d] = z * z;
    }
  }
  const isCurrent = Float64Array.from({ length: size }, (_, row) => Number(row >= n));
  const scores = new Float64Array(size);
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const held = (row: number) => row % FOLDS === fold;
    const weights = logistic(features, isCurrent, width, (row) => !held(row));
    for (let row = 0; row < size; row += 1) if (held(row)) scores[row] = dot(features, row * width, weights);
  }
  const ranks = averageRanks(scores);
  let total = 0;
  for (let row = n; row < size; row += 1) total += ranks[row]!;
  const m = size - n;
  return (total - (m * (m + 1)) / 2) / (n * m);
}

function logistic(
  features: Float64Array,
  labels: Float64Array,
  width: number,
  isUsed: (row: number) => boolean,
): Float64Array {
  let weights: Float64Array = new Float64Array(width);
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const gradient = weights.map((each, at) => (at === 0 ? 0 : each));
    const curvature = new Float64Array(width * width);
    for (let at = 0; at < width; at += 1) curvature[at * width + at] = at === 0 ? 1e-12 : 1;
    for (let row = 0; row < labels.length; row += 1) {
      if (!isUsed(row)) continue;
      const p = 1 / (1 + exp(-dot(features, row * width, weights)));
      const spread = p * (1 - p);
      for (let a = 0; a < width; a += 1) {
        const x = features[row * width + a]!;
        gradient[a]! += (p - labels[row]!) * x;
        for (let b = 0; b <= a; b += 1) curvature[a * width + b]! += spread * x * features[row * width + b]!;
      }
    }
    const lower = lowerCholesky(
      matrixOf(width, width, (a, b) => curvature[Math.max(a, b) * width + Math.min(a, b)]!),
    );
    if (!lower) break;
    const move = backwardSolve(lower, forwardSolve(lower, gradient));
    weights = weights.map((each, at) => each - move[at]!);
    if (move.every((each) => Math.abs(each) < 1e-10)) break;
  }
  return weights;
}

function dot(features: Float64Array, from: number, weights: Float64Array): number {
  let total = 0;
  for (let at = 0; at < weights.length; at += 1) total += features[from + at]! * weights[at]!;
  return total;
}
