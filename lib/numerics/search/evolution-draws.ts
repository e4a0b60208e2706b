import { normalQuantile } from '../normal-quantile.ts';
import { PHILOX_DOMAINS } from '../philox.ts';
import { symmetricEigenvectors } from '../symmetric-eigenvectors.ts';
import { uniformStream } from '../uniform-stream.ts';
import { valueCount, valueOfShare } from './axis-values.ts';
import { populationSize } from './evolution-terms.ts';
import type { Axis, Point, Space } from './space.ts';

/** The state of an evolution search in n dimensions: plain finite numbers. */
export type EvolutionState = {
  /** Number of generations whose objectives are known. */
  generation: number;
  /** Mean of the next points: n shares of the ranges. */
  mean: number[];
  sigma: number;
  /** n-by-n, row-major. */
  covariance: number[];
  /**
   * Factor by which the deviation of each coordinate is multiplied. It maintains the margin of finite axes, and is 1 on
   * continuous ranges.
   */
  scale: number[];
  pathSigma: number[];
  pathCovariance: number[];
};

/** A point as shares of the ranges, and its step from the mean in units of sigma and scale. */
export type Draw = { shares: Float64Array; step: Float64Array };

/** Eigenvalues are raised to at least this share of the largest eigenvalue. */
const CONDITION_MIN = 1e-14;
const REDRAWS_MAX = 100;

/** Returns the axes with more than one value, which are the dimensions of the search. */
export function freeAxes(space: Space): Axis[] {
  return space.filter((axis) => valueCount(axis) > 1);
}

/** Returns the point at the given shares, one share for each free axis. */
export function pointOf(space: Space, shares: ArrayLike<number>): Point {
  let at = 0;
  return space.map((axis) => valueOfShare(axis, valueCount(axis) > 1 ? shares[at++]! : 0));
}

/** Returns the draws of the next generation of a state. Each draw has its own random stream. */
export function drawGeneration(
  space: Space,
  { seed, state }: { seed: number; state: EvolutionState },
): Draw[] {
  const axes = freeAxes(space);
  const size = populationSize(axes.length);
  const shape = shapeOf(state.covariance, axes.length);
  const isContinuous = axes.map((axis) => valueCount(axis) === Infinity);
  return Array.from({ length: size }, (_, at) => {
    const sample = state.generation * size + at;
    const uniform = uniformStream({ seed, domain: PHILOX_DOMAINS.evolutionSearch, sample });
    let shares = drawShares(state, shape, uniform);
    const isOutside = () => shares.some((share, j) => isContinuous[j]! && !(share >= 0 && share <= 1));
    for (let redraw = 0; redraw < REDRAWS_MAX && isOutside(); redraw += 1)
      shares = drawShares(state, shape, uniform);
    shares = shares.map((share, j) => (isContinuous[j]! ? Math.min(1, Math.max(0, share)) : share));
    const step = shares.map((share, j) => (share - state.mean[j]!) / (state.sigma * state.scale[j]!));
    return { shares, step };
  });
}

/** Roots of the eigenvalues of a covariance matrix, and its eigenvectors as columns. */
export type Shape = { roots: Float64Array; vectors: Float64Array };

/**
 * Returns the shape of an n-by-n covariance matrix. Small eigenvalues are raised, so that the condition number is at
 * most 1e14.
 */
export function shapeOf(covariance: ArrayLike<number>, n: number): Shape {
  const { values, vectors } = symmetricEigenvectors(covariance, n);
  let largest = 0;
  for (const value of values) largest = Math.max(largest, value);
  return { roots: values.map((value) => Math.sqrt(Math.max(value, CONDITION_MIN * largest))), vectors };
}

function drawShares(
  { mean, sigma, scale }: EvolutionState,
  { roots, vectors }: Shape,
  uniform: () => number,
): Float64Array {
  const normals = roots.map((root) => root * normalQuantile(uniform()));
  return Float64Array.from(mean, (centre, row) => {
    let step = 0;
    for (const [column, normal] of normals.entries()) step += vectors[row * mean.length + column]! * normal;
    return centre + sigma * scale[row]! * step;
  });
}
