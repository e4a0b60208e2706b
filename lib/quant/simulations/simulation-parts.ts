import type { Part } from '#lib/core/run.ts';
import { CHUNK, exactOf, fanMonthsOf } from './simulation-setup.ts';
import type { SimulationInput } from './simulations.schema.ts';

/** Number of paths times months times assets above which a simulation is divided among workers. */
const DIVIDED_ABOVE = 24_000_000;
/**
 * The number of parts is a multiple of this number if possible, so that 2 and 4 workers have equal shares.
 */
const SHARES = 4;
/** Maximum number of exact fan values in a part, if possible, because a part is sent to the database in one piece. */
const KEPT_MAX = 1_500_000;
/** Maximum number of parts. The statistics of all parts are in memory at once when they are joined. */
const PARTS_MAX = 16;

/**
 * Returns the parts of a simulation, each of whole chunks of paths, or null for a simulation that a single
 * worker computes. `first` is the number of a part instead of a path, and `count` is 1, because the
 * statistics of all parts have the same size.
 */
export function simulationParts(input: Pick<SimulationInput, 'paths' | 'horizon' | 'assets'>): Part[] | null {
  const ranges = pathRanges(input);
  return ranges.length > 1 ? ranges.map((_, first) => ({ round: 0, first, count: 1 })) : null;
}

/** Paths of a part, and the number of paths that the layout of every part has room for. */
export type PathRangeOf = { first: number; count: number; capacity: number };

/** Returns the paths of each part of a simulation, in order. */
export function pathRanges({
  paths,
  horizon,
  assets,
}: Pick<SimulationInput, 'paths' | 'horizon' | 'assets'>): PathRangeOf[] {
  const cells = paths * horizon * assets.length;
  if (cells <= DIVIDED_ABOVE) return [{ first: 0, count: paths, capacity: paths }];
  const months = fanMonthsOf(horizon).length;
  const kept = exactOf(paths, months).fan ? paths * months : 0;
  const shares = Math.max(cells / (SHARES * DIVIDED_ABOVE), kept / (SHARES * KEPT_MAX));
  const parts = Math.min(PARTS_MAX, SHARES * Math.ceil(shares));
  const capacity = CHUNK * Math.ceil(Math.ceil(paths / CHUNK) / parts);
  return Array.from({ length: Math.ceil(paths / capacity) }, (_, part) => ({
    first: part * capacity,
    count: Math.min(capacity, paths - part * capacity),
    capacity,
  }));
}
