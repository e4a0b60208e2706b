import { MOMENTS } from '#lib/numerics/simulation/central-moments.ts';
import type { BucketWindow } from '#lib/numerics/simulation/bucket-counts.ts';
import { CHUNK, type SimulationSetup } from './simulation-setup.ts';

/** A figure of each path. Its distribution is stored as exact values or as counts of the values by bucket. */
export type Column = { at: number } & ({ window: null } | { window: BucketWindow });

/**
 * The positions of the statistics of some paths in one array of doubles. All parts of a simulation have the same
 * layout, even if their numbers of paths differ.
 *
 * - **Columns**: the wealth at each month of the fan (the terminal wealth is the last), the drawdown, and the
 *   affordable withdrawal if one is solved for.
 * - **Conditional sums**: the unpaid withdrawals of ruined paths, then the shortfall of the paths that miss each goal.
 */
export type PathLayout = {
  /** Number of paths that the layout has room for. */
  capacity: number;
  fan: number;
  columns: readonly Column[];
  conditionals: number;
  /** Doubles of a chunk: moments of columns, of pairs of columns (`antithetic`), and of conditional sums. */
  perChunk: number;
  momentsAt: number;
  /**
   * Counts: paths with a loss, ruined paths by month, goals met, paths by longest time and by total time
   * below an earlier level.
   */
  lossAt: number;
  ruinAt: number;
  goalsAt: number;
  longestAt: number;
  belowAt: number;
  length: number;
};

/** Returns, for each column of a simulation in order, whether its values are stored exactly. */
export function exactColumns(setup: SimulationSetup): boolean[] {
  const { exact } = setup;
  const figures = setup.plan.units ? 3 : 2;
  return [
    ...Array.from({ length: setup.fanMonths.length - 1 }, () => exact.fan),
    ...Array.from({ length: figures }, () => exact.figures),
  ];
}

/**
 * Returns the layout of the statistics of `capacity` paths. `windows`: the buckets of each column, ignored for columns
 * that are stored exactly.
 */
export function pathLayout(
  setup: SimulationSetup,
  capacity: number,
  windows: readonly (BucketWindow | null)[],
): PathLayout {
  const { horizon, goals, antithetic, fanMonths } = setup;
  const isExact = exactColumns(setup);
  const conditionals = 1 + goals.length;
  const perChunk = MOMENTS * (isExact.length * (antithetic ? 2 : 1) + conditionals);
  let length = 0;
  const take = (doubles: number) => {
    const at = length;
    length += doubles;
    return at;
  };
  const lossAt = take(1);
  const ruinAt = take(horizon);
  const goalsAt = take(goals.length);
  const longestAt = take(horizon + 1);
  const belowAt = take(horizon + 1);
  const momentsAt = take(perChunk * Math.ceil(capacity / CHUNK));
  const columns = isExact.map((exact, place): Column => {
    if (exact) return { at: take(capacity), window: null };
    const window = windows[place]!;
    // Two counts of 32 bits share a double.
    return { at: take(Math.ceil(window.size / 2)), window };
  });
  return {
    capacity,
    fan: fanMonths.length,
    columns,
    conditionals,
    perChunk,
    momentsAt,
    lossAt,
    ruinAt,
    goalsAt,
    longestAt,
    belowAt,
    length,
  };
}
