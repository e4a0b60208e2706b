import { exp } from '../exponential.ts';
import { ln } from '../natural-log.ts';
import { partOfShare } from './axis-values.ts';
import { type EvolutionState, freeAxes, shapeOf } from './evolution-draws.ts';
import type { EvolutionTerms } from './evolution-terms.ts';
import { withMargin } from './integer-margin.ts';
import type { Space } from './space.ts';

/** The smallest and the largest standard deviation of a coordinate, as a share of its range. */
const DEVIATION = { min: 1e-14, max: 1 } as const;
/**
 * If the largest variance of the covariance matrix leaves these bounds, the matrix is rescaled to a largest
 * variance of 1, so that the matrix never becomes 0.
 */
const VARIANCE = { min: 1e-8, max: 1e8 } as const;

/**
 * Returns the state after a generation: mean, evolution paths, covariance matrix and step size, then the margins of
 * finite axes.
 *
 * `best`: steps of the best points, best first, as many as there are weights.
 * Source: Hansen, "The CMA Evolution Strategy: A Tutorial" (2016), equations 41 to 47 without negative weights.
 */
export function nextState(
  space: Space,
  { state, terms, best }: { state: EvolutionState; terms: EvolutionTerms; best: readonly Float64Array[] },
): EvolutionState {
  const { weights, muEff, cSigma, dSigma, cc, chiN } = terms;
  const n = state.mean.length;
  const step = new Float64Array(n);
  for (const [i, each] of best.entries()) for (let j = 0; j < n; j += 1) step[j]! += weights[i]! * each[j]!;
  const white = whitened(state.covariance, step);
  const pathSigma = path(state.pathSigma, white, cSigma, muEff);
  const length = Math.sqrt(squaredLength(pathSigma));
  const generation = state.generation + 1;
  // The path is too short in the first generations, so its length is divided by the root of 1 - (1 - cSigma)^(2
  // generation).
  const known = 1 - exp(2 * generation * ln(1 - cSigma));
  const isSteady = length / Math.sqrt(known) < (1.4 + 2 / (n + 1)) * chiN;
  const shift = isSteady ? Array.from(step) : Array.from(step, () => 0);
  const pathCovariance = path(state.pathCovariance, shift, cc, muEff);
  const covariance = nextCovariance(state.covariance, { terms, best, pathCovariance, isSteady });
  const sigma = state.sigma * exp(Math.min(1, (cSigma / dSigma) * (length / chiN - 1)));
  const mean = state.mean.map((each, j) => each + state.sigma * state.scale[j]! * step[j]!);
  const moved = { ...state, generation, mean, sigma, covariance, pathSigma, pathCovariance };
  return withMargins(space, bounded(moved), terms.lambda);
}

/** Returns C^(-1/2) times a vector. */
function whitened(covariance: readonly number[], vector: Float64Array): Float64Array {
  const n = vector.length;
  const { roots, vectors } = shapeOf(covariance, n);
  const out = new Float64Array(n);
  for (let k = 0; k < n; k += 1) {
    let along = 0;
    for (let j = 0; j < n; j += 1) along += vectors[j * n + k]! * vector[j]!;
    for (let j = 0; j < n; j += 1) out[j]! += (vectors[j * n + k]! * along) / roots[k]!;
  }
  return out;
}

function path(before: readonly number[], step: ArrayLike<number>, rate: number, muEff: number): number[] {
  const factor = Math.sqrt(rate * (2 - rate) * muEff);
  return before.map((each, j) => (1 - rate) * each + factor * step[j]!);
}

function nextCovariance(
  before: readonly number[],
  update: {
    terms: EvolutionTerms;
    best: readonly Float64Array[];
    pathCovariance: readonly number[];
    isSteady: boolean;
  },
): number[] {
  const { terms, best, pathCovariance, isSteady } = update;
  const { weights, c1, cMu, cc } = terms;
  const n = pathCovariance.length;
  const kept = 1 - c1 - cMu + (isSteady ? 0 : c1 * cc * (2 - cc));
  return before.map((each, at) => {
    // The products are the same in both triangles, so the matrix stays symmetric to the bit.
    const [row, column] = [Math.floor(at / n), at % n];
    let rankMu = 0;
    for (const [i, step] of best.entries()) rankMu += weights[i]! * (step[row]! * step[column]!);
    return kept * each + c1 * (pathCovariance[row]! * pathCovariance[column]!) + cMu * rankMu;
  });
}

/** Limits sigma so that the largest deviation of a coordinate is within its bounds. */
function bounded(state: EvolutionState): EvolutionState {
  const n = state.mean.length;
  let largest = 0;
  for (let j = 0; j < n; j += 1) largest = Math.max(largest, state.covariance[j * (n + 1)]!);
  const root = Math.sqrt(largest);
  const sigma = Math.min(DEVIATION.max / root, Math.max(DEVIATION.min / root, state.sigma));
  if (largest >= VARIANCE.min && largest <= VARIANCE.max) return { ...state, sigma };
  return {
    ...state,
    sigma: sigma * root,
    covariance: state.covariance.map((each) => each / largest),
    pathCovariance: state.pathCovariance.map((each) => each / root),
  };
}

function withMargins(space: Space, state: EvolutionState, lambda: number): EvolutionState {
  const { sigma, covariance } = state;
  const n = state.mean.length;
  const [mean, scale] = [[...state.mean], [...state.scale]];
  for (const [j, axis] of freeAxes(space).entries()) {
    const part = partOfShare(axis, mean[j]!);
    if (part === null) continue;
    const unit = sigma * Math.sqrt(covariance[j * (n + 1)]!);
    const deviation = Math.min(DEVIATION.max, unit * scale[j]!);
    const marginal = withMargin({ mean: mean[j]!, deviation }, part, 1 / (n * lambda));
    mean[j] = Math.min(1, Math.max(0, marginal.mean));
    scale[j] = marginal.deviation / unit;
  }
  return { ...state, mean, scale };
}

function squaredLength(vector: readonly number[]): number {
  let total = 0;
  for (const each of vector) total += each * each;
  return total;
}
