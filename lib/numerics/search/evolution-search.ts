import { evolutionTerms, populationSize } from './evolution-terms.ts';
import { drawGeneration, type EvolutionState, freeAxes, pointOf } from './evolution-draws.ts';
import { nextState } from './evolution-update.ts';
import type { Point, Space } from './space.ts';

const SIGMA_START = 0.3;

/**
 * Returns the state of an evolution search before its first generation: its mean is the middle of the space, and its
 * standard deviation is 0.3 of each range.
 *
 * The search is CMA-ES on the shares of the ranges, from 0 to 1, of all axes with more than one value. It depends only
 * on the space, the seed and the objectives. The points of a generation depend on the state, and the next state depends
 * on their objectives. A state has plain finite numbers only, and can be stored as JSON.
 * Errors: `RangeError` if no axis has more than one value.
 * Source: Hansen, "The CMA Evolution Strategy: A Tutorial" (2016); finite axes as in Hamano et al., "CMA-ES with
 * Margin" (GECCO 2022).
 */
export function startEvolution(space: Space): EvolutionState {
  const n = freeAxes(space).length;
  if (n === 0) throw new RangeError('a search needs an axis with more than one value');
  const zeros = () => Array.from({ length: n }, () => 0);
  return {
    generation: 0,
    mean: zeros().fill(0.5),
    sigma: SIGMA_START,
    covariance: Array.from({ length: n * n }, (_, at) => (at % (n + 1) === 0 ? 1 : 0)),
    scale: zeros().fill(1),
    pathSigma: zeros(),
    pathCovariance: zeros(),
  };
}

/** Returns the number of points of a generation. */
export function generationSize(space: Space): number {
  return populationSize(freeAxes(space).length);
}

/**
 * Returns the points of the next generation of a state: `generationSize` points. Point i draws from domain 8, sample
 * generation x size + i. If a continuous coordinate is outside its range, the point is drawn again, up to 100 times,
 * and then moved to the nearest end. Errors: the errors of the random streams.
 */
export function ask(space: Space, { seed, state }: { seed: number; state: EvolutionState }): Point[] {
  return drawGeneration(space, { seed, state }).map(({ shares }) => pointOf(space, shares));
}

/**
 * Returns the state after a generation.
 *
 * `values`: the objectives of the points of `ask`, in their order; smaller is better. NaN counts as the worst value. Of
 * equal values, the first counts as better. Errors: `RangeError` if the number of values is not `generationSize`, and
 * the errors of the random streams.
 */
export function tell(
  space: Space,
  { seed, state, values }: { seed: number; state: EvolutionState; values: readonly number[] },
): EvolutionState {
  const drawn = drawGeneration(space, { seed, state });
  if (values.length !== drawn.length)
    throw new RangeError(`${values.length} objectives do not match ${drawn.length} points`);
  const worth = values.map((value) => (Number.isNaN(value) ? Infinity : value));
  const order = drawn
    .map((_, at) => at)
    .sort((one, other) => compare(worth[one]!, worth[other]!) || one - other);
  const terms = evolutionTerms(state.mean.length);
  const best = order.slice(0, terms.weights.length).map((at) => drawn[at]!.step);
  return nextState(space, { state, terms, best });
}

/** Compares instead of subtracting, because the difference of two infinities is NaN. */
const compare = (one: number, other: number): number => (one < other ? -1 : one > other ? 1 : 0);
