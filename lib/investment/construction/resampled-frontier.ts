import { Matrix } from 'ml-matrix';
import { mean } from '#lib/numerics/descriptive.ts';
import { dot } from '#lib/numerics/dot-product.ts';
import { rowMajor } from '#lib/numerics/matrix.ts';
import { fillNormals } from '#lib/numerics/normal-stream.ts';
import { PHILOX_DOMAINS } from '#lib/numerics/philox.ts';
import { lowerCholesky } from '#lib/numerics/scenario/lower-cholesky.ts';
import type { AllocationProblem } from './allocation-problem.ts';
import { refused } from './construction-refusal.ts';
import { annualCovariance, type ReturnEstimator, volatilitiesOf } from './estimates.ts';
import { feasibleFrontier } from './frontier.ts';
import { volatilityOf } from './measures.ts';

/** A point of a resampled frontier. `deviations` are the standard deviations of the weights over the paths. */
export type ResampledPoint = {
  expectedReturn: number;
  volatility: number;
  weights: Float64Array;
  deviations: Float64Array;
};

export type ResampledFrontier = {
  points: ResampledPoint[];
  /** The number of paths whose estimates permit no weights within the limits. They are left out of the means. */
  infeasible: number;
};

export type Resampling = {
  points: number;
  paths: number;
  /** The number of periods that each path draws. */
  observations: number;
  estimator: ReturnEstimator;
  seed: number;
};

/** The number of paths in a block. The sums of a block are the unit in which a frontier is divided among workers. */
const BLOCK_PATHS = 16;

/** Returns the number of blocks into which a number of paths is divided. The last block can be shorter. */
export function blocksOf(paths: number): number {
  return Math.ceil(paths / BLOCK_PATHS);
}

/**
 * Returns, for the resampled frontier of Michaud, the sums of blocks of paths. Each path draws a history from the
 * normal distribution with the means and the covariance of the problem, estimates both again, and computes its
 * frontier.
 *
 * For each block: the number of paths whose estimates permit no weights within the limits, then by rank and symbol the
 * sums of the weights of the other paths, and the sums of their squares. Path p draws the samples p x `observations`
 * and later of the Philox domain of resampling, so the sums do not depend on a division of the blocks. `progress` is
 * called after each path with the share of the paths that is done, and ends the computation by throwing. Refuses a
 * covariance that is not positive definite with the code `not_identifiable`. Source: Michaud, "Efficient Asset
 * Management" (1998), chapter 6.
 */
export function blockSums(
  problem: AllocationProblem,
  plan: Resampling,
  { first, count, progress }: { first: number; count: number; progress: (share: number) => void },
): Float64Array {
  const { points, paths } = plan;
  const size = problem.symbols.length;
  const width = widthOf(points, size);
  const sums = new Float64Array(count * width);
  const draw = drawerOf(problem, plan);
  const start = first * BLOCK_PATHS;
  const end = Math.min(paths, (first + count) * BLOCK_PATHS);
  for (let path = start; path < end; path += 1) {
    const at = Math.floor((path - start) / BLOCK_PATHS) * width;
    const found = feasibleFrontier(draw(path), points);
    if (!found) sums[at]! += 1;
    else
      for (let rank = 0; rank < points; rank += 1) {
        // If all returns are equal, the frontier is one point, which is used for every rank.
        const { weights } = found[Math.min(rank, found.length - 1)]!;
        for (let k = 0; k < size; k += 1) {
          const cell = at + 1 + rank * size + k;
          sums[cell]! += weights[k]!;
          sums[cell + points * size]! += weights[k]! * weights[k]!;
        }
      }
    progress((path + 1 - start) / (end - start));
  }
  return sums;
}

/**
 * Returns the resampled frontier from the sums of all its blocks. The weights of a point are the means of the weights
 * of the points with the same rank. Return and volatility of a point are those of its weights under the original
 * estimates, so no point lies above the frontier of `frontier`. Refuses with the code `constraints_infeasible` if no
 * path is feasible.
 */
export function resampledFrontier(
  problem: AllocationProblem,
  { points, paths }: Pick<Resampling, 'points' | 'paths'>,
  sums: Float64Array,
): ResampledFrontier {
  const { means, symbols, covariance } = problem;
  const size = symbols.length;
  const width = widthOf(points, size);
  const total = new Float64Array(width);
  for (let at = 0; at < sums.length; at += width)
    for (let cell = 0; cell < width; cell += 1) total[cell]! += sums[at + cell]!;
  const infeasible = total[0]!;
  const used = paths - infeasible;
  if (used === 0)
    throw refused('constraints_infeasible', `No weights satisfy the limits in any of the ${paths} paths.`, {
      conflict: [],
      relax: [],
    });
  const row = (sheet: number, rank: number) => {
    const from = 1 + (sheet * points + rank) * size;
    return total.subarray(from, from + size).map((sum) => sum / used);
  };
  return {
    infeasible,
    points: Array.from({ length: points }, (_, rank) => {
      const weights = row(0, rank);
      const deviations = row(1, rank).map((square, k) =>
        Math.sqrt(Math.max(square - weights[k]! * weights[k]!, 0)),
      );
      const volatility = volatilityOf(covariance, weights);
      return { expectedReturn: dot(means!, weights), volatility, weights, deviations };
    }),
  };
}

/**
 * Returns how many numbers a block has: the number of infeasible paths, then by rank and symbol a sum and a sum of
 * squares.
 */
function widthOf(points: number, size: number): number {
  return 1 + 2 * points * size;
}

/**
 * Returns a function that returns the problem of a path: the same limits, with estimates from the draws of the path.
 */
function drawerOf(
  problem: AllocationProblem,
  { observations, estimator, seed }: Resampling,
): (path: number) => AllocationProblem {
  const { means } = problem;
  if (!means) throw new Error('a frontier needs expected returns');
  const size = problem.symbols.length;
  const { periodsPerYear } = estimator;
  const lower = lowerCholesky(Matrix.mul(problem.covariance, 1 / periodsPerYear));
  if (!lower)
    throw refused(
      'not_identifiable',
      'The covariance matrix is not positive definite, so no samples can be drawn.',
    );
  const factor = rowMajor(lower);
  const draws = new Float64Array(observations * size);
  return (path) => {
    const firstSample = path * observations;
    fillNormals(draws, { seed, firstSample, dimensions: size, domain: PHILOX_DOMAINS.resampling });
    const series = Array.from({ length: size }, () => new Float64Array(observations));
    for (let t = 0; t < observations; t += 1)
      for (let k = 0; k < size; k += 1) {
        let value = means[k]! / periodsPerYear;
        for (let j = 0; j <= k; j += 1) value += factor[k * size + j]! * draws[t * size + j]!;
        series[k]![t] = value;
      }
    const { covariance } = annualCovariance(series, estimator);
    return {
      ...problem,
      series,
      covariance,
      elements: rowMajor(covariance),
      volatilities: volatilitiesOf(covariance),
      means: Float64Array.from(series, (values) => mean(values) * periodsPerYear),
    };
  };
}
