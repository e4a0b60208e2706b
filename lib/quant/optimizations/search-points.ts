import type { EvolutionState } from '#lib/numerics/search/evolution-draws.ts';
import { ask, generationSize, startEvolution, tell } from '#lib/numerics/search/evolution-search.ts';
import { gridCount, gridPoints } from '#lib/numerics/search/grid.ts';
import { randomPoint } from '#lib/numerics/search/random-search.ts';
import type { Point, Space } from '#lib/numerics/search/space.ts';
import { SEARCH_LIMITS } from './optimization-limits.ts';
import type { OptimizationInput } from './optimization-input.schema.ts';
import { spaceOf } from './search-space.ts';
import { pointsWithin } from './points-within.ts';
import { readSpaceCondition } from './space-condition.ts';

type Search = Pick<OptimizationInput, 'space' | 'where' | 'method' | 'trials' | 'seed'>;

/**
 * Returns the points of a search, round by round. A grid and a random search have one round. An evolution search has
 * one round for each generation. A generation depends on the objectives of the earlier rounds.
 *
 * `objectives`: the objectives of all points of the earlier rounds, in the order of the points; larger is better. The
 * result is null after the last round.
 */
export function pointsOfRound(search: Search, round: number, objectives: ArrayLike<number>): Point[] | null {
  const space = spaceOf(search.space);
  if (search.method === 'cma_es') return generation(search, space, round, objectives);
  if (round > 0) return null;
  return search.method === 'grid' ? gridWithin(search, space) : randomWithin(search, space);
}

/** Returns the points of a grid that meet the condition, in the order of the grid. */
export function gridWithin({ where }: Pick<Search, 'where'>, space: Space): Point[] {
  const points = gridPoints(space, { first: 0, count: gridCount(space) });
  return filtered(where, space, points);
}

/** Returns the first random points that meet the condition: fewer than `trials` if few do. */
function randomWithin({ where, trials, seed }: Search, space: Space): Point[] {
  const found: Point[] = [];
  const batch = Math.max(trials, 100);
  for (let first = 0; first < trials * SEARCH_LIMITS.drawsPerTrial; first += batch) {
    const drawn = Array.from({ length: batch }, (_, at) => randomPoint(space, { seed, trial: first + at }));
    found.push(...filtered(where, space, drawn));
    if (found.length >= trials) return found.slice(0, trials);
  }
  return found;
}

/** Returns the points of all rounds, from the objectives of all their trials. */
export function pointsOfRounds(search: Search, objectives: ArrayLike<number>): Point[] {
  if (search.method !== 'cma_es') return pointsOfRound(search, 0, [])!;
  const space = spaceOf(search.space);
  const found: Point[] = [];
  let state = startEvolution(space);
  while (found.length < objectives.length) {
    const points = ask(space, { seed: search.seed, state });
    state = after(search, space, { state, objectives, first: found.length });
    found.push(...points);
  }
  return found;
}

/**
 * Returns the points of a generation. Points that do not meet the condition stay in the generation and count
 * as the worst points.
 */
function generation(
  search: Search,
  space: Space,
  round: number,
  objectives: ArrayLike<number>,
): Point[] | null {
  const size = generationSize(space);
  if (round > 0 && (round + 1) * size > search.trials) return null;
  let state = startEvolution(space);
  for (let at = 0; at < round; at += 1) state = after(search, space, { state, objectives, first: at * size });
  return ask(space, { seed: search.seed, state });
}

/** Returns the state after a generation whose objectives begin at `first`. */
function after(
  { seed }: Search,
  space: Space,
  { state, objectives, first }: { state: EvolutionState; objectives: ArrayLike<number>; first: number },
): EvolutionState {
  const values = Array.from({ length: generationSize(space) }, (_, at) => -objectives[first + at]!);
  return tell(space, { seed, state, values });
}

function filtered(where: string | null, space: Space, points: readonly Point[]): Point[] {
  const isWithin = within(where, space, points);
  return points.filter((_, at) => isWithin[at]);
}

/** Returns, for each point, whether it meets the condition of a search. */
export function within(where: string | null, space: Space, points: readonly Point[]): boolean[] {
  const read = where === null ? null : readSpaceCondition(where, space);
  if (read && !read.ok) throw new Error('the condition was checked when the run was requested');
  return pointsWithin(read?.parsed ?? null, space, points);
}
