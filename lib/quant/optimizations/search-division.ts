import type { Part, Rounds } from '#lib/core/run.ts';
import { daysBetween } from '#lib/core/date.ts';
import { generationSize } from '#lib/numerics/search/evolution-search.ts';
import { valueCount } from '#lib/numerics/search/axis-values.ts';
import { gridCount } from '#lib/numerics/search/grid.ts';
import type { Point } from '#lib/numerics/search/space.ts';
import { SEARCH_LIMITS } from './optimization-limits.ts';
import type { OptimizationInput } from './optimization-input.schema.ts';
import { pointsOfRound } from './search-points.ts';
import { spaceOf } from './search-space.ts';

/** Maximum number of parts of a round before the last ones are halved, and minimum number of trials of a part. */
const PARTS_MAX = 28;
const PART_TRIALS_MIN = 4;
/** Number of last parts that are halved. */
const HALVED = 4;
/** A grid or a random search with at least this number of trials is divided. */
const DIVIDED_TRIALS = 100;
/**
 * An evolution search with at least this number of symbols times calendar days is divided: a generation then
 * takes longer to compute than to pass through the queue.
 */
const DIVIDED_CELLS = 300_000;

/** Returns the points of a round from the numbers of all trials of the earlier rounds; null after the last round. */
export function roundPoints(input: OptimizationInput, round: number, before: Float64Array): Point[] | null {
  return pointsOfRound(input, round, objectivesIn(input, round, before));
}

/**
 * Returns the parts of a round: its trials in nearly equal shares, of which the last four are halved, so that the
 * workers end at nearly the same time. A grid with too many points is not divided.
 */
export function divideSearch(input: OptimizationInput, round: number, before: Float64Array): Part[] | null {
  if (input.method === 'grid' && gridCount(spaceOf(input.space)) > SEARCH_LIMITS.trials) return null;
  const points = roundPoints(input, round, before)?.length ?? 0;
  if (points === 0) return null;
  const shared = trialsWithSharedSignals(input);
  const first = round === 0 ? 0 : round * points;
  const count = aligned(Math.max(PART_TRIALS_MIN, Math.ceil(points / PARTS_MAX)), shared, points);
  const half = aligned(Math.ceil(count / 2), shared, count);
  const equal = Math.ceil(points / count);
  return Array.from({ length: equal }, (_, at) => ({
    first: first + at * count,
    count: Math.min(count, points - at * count),
  })).flatMap((part, at) => {
    const isHalved = at >= equal - HALVED && half >= PART_TRIALS_MIN && part.count > half;
    return isHalved
      ? [
          { round, first: part.first, count: half },
          { round, first: part.first + half, count: part.count - half },
        ]
      : [{ round, ...part }];
  });
}

/**
 * Returns the number of successive trials of a grid that differ only in the last axis. Such trials often share their signals.
 * If two workers divided such trials, both would compute these signals.
 */
function trialsWithSharedSignals({ method, where, space }: OptimizationInput): number {
  const last = method === 'grid' && where === null ? spaceOf(space).at(-1) : undefined;
  return last === undefined ? 1 : valueCount(last);
}

/** Returns the next multiple of `shared` from `count` on, or `count` if this is more than twice `count` or above `most`. */
function aligned(count: number, shared: number, most: number): number {
  const next = Math.ceil(count / shared) * shared;
  return next <= 2 * count && next <= most ? next : count;
}

/** The rounds of a search: one for a grid or random points, one for each generation of an evolution search. */
export const searchRounds: Rounds<OptimizationInput> = {
  most: SEARCH_LIMITS.trials,
  samples: ({ method, trials, space }) =>
    method === 'grid' ? Math.min(gridCount(spaceOf(space)), SEARCH_LIMITS.trials) : trials,
};

/** Whether a search is large enough to be divided among workers. */
export function isSearchDivided(input: OptimizationInput): boolean {
  const { method, from, to, strategy } = input;
  if (method !== 'cma_es') return searchRounds.samples(input) > DIVIDED_TRIALS;
  const { symbols, most } = strategy.universe as { symbols?: readonly unknown[]; most?: unknown };
  const width = symbols?.length || (typeof most === 'number' ? most : 500);
  return width * daysBetween(from, to) > DIVIDED_CELLS;
}

/**
 * Returns the objectives of the trials of earlier rounds. The objective is the first number of each trial.
 */
function objectivesIn(input: OptimizationInput, round: number, before: Float64Array): number[] {
  if (round === 0 || input.method !== 'cma_es') return [];
  const trials = round * generationSize(spaceOf(input.space));
  const width = before.length / trials;
  return Array.from({ length: trials }, (_, at) => before[at * width]!);
}
