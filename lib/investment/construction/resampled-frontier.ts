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
  /** Called after each path with the share of the paths that is done. Ends the computation by throwing. */
  progress(share: number): void;
};

/**
 * Returns the resampled frontier of Michaud: each path draws a history from the normal distribution with the means and
 * the covariance of the problem, estimates both again, and computes its frontier. The weights of a point are the means of
 * the weights of the points with the same rank. Return and volatility of a point are those of its weights under the
 * original estimates, so no point lies above the frontier of `frontier`.
 *
 * Path p draws the samples p x `observations` and later of the Philox domain of resampling. Refuses `not_identifiable`
 * for a covariance that is not positive definite, and `constraints_infeasible` if no path is feasible.
 * Source: Michaud, "Efficient Asset Management" (1998), chapter 6.
 */
export function resampledFrontier(problem: AllocationProblem, plan: Resampling): ResampledFrontier {
  const { means, symbols, covariance } = problem;
  if (!means) throw new Error('a frontier needs expected returns');
  const { points, paths, progress } = plan;
  const size = symbols.length;
  const [sums, squares] = [sheets(points, size), sheets(points, size)];
  const draw = drawerOf(problem, plan);
  let infeasible = 0;
  for (let path = 0; path < paths; path += 1) {
    const found = feasibleFrontier(draw(path), points);
    if (!found) infeasible += 1;
    else
      for (let rank = 0; rank < points; rank += 1) {
        // Equal returns give one point, which then stands for every rank.
        const { weights } = found[Math.min(rank, found.length - 1)]!;
        for (let k = 0; k < size; k += 1) {
          sums[rank]![k]! += weights[k]!;
          squares[rank]![k]! += weights[k]! * weights[k]!;
        }
      }
    progress((path + 1) / paths);
  }
  const used = paths - infeasible;
  if (used === 0)
    throw refused('constraints_infeasible', `No weights satisfy the limits in any of the ${paths} paths.`, {
      conflict: [],
      relax: [],
    });
  return {
    infeasible,
    points: sums.map((sum, rank) => {
      const weights = sum.map((total) => total / used);
      const deviations = weights.map((each, k) =>
        Math.sqrt(Math.max(squares[rank]![k]! / used - each * each, 0)),
      );
      const volatility = volatilityOf(covariance, weights);
      return { expectedReturn: dot(means, weights), volatility, weights, deviations };
    }),
  };
}

/** Returns a function that gives the problem of a path: the same limits with estimates from its own draws. */
function drawerOf(
  problem: AllocationProblem,
  { observations, estimator, seed }: Resampling,
): (path: number) => AllocationProblem {
  const size = problem.symbols.length;
  const { periodsPerYear } = estimator;
  const lower = lowerCholesky(Matrix.mul(problem.covariance, 1 / periodsPerYear));
  if (!lower)
    throw refused(
      'not_identifiable',
      'The covariance matrix is not positive definite, so it cannot be drawn from.',
    );
  const factor = rowMajor(lower);
  const draws = new Float64Array(observations * size);
  return (path) => {
    const firstSample = path * observations;
    fillNormals(draws, { seed, firstSample, dimensions: size, domain: PHILOX_DOMAINS.resampling });
    const series = Array.from({ length: size }, () => new Float64Array(observations));
    for (let t = 0; t < observations; t += 1)
      for (let k = 0; k < size; k += 1) {
        let value = problem.means![k]! / periodsPerYear;
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

function sheets(count: number, size: number): Float64Array[] {
  return Array.from({ length: count }, () => new Float64Array(size));
}
