import type { WealthPlan } from '#lib/numerics/simulation/wealth-paths.ts';

/** Number of paths in a chunk. Moments are summed by chunk, and the chunks of a simulation are joined in order. */
export const CHUNK = 4096;
/**
 * Maximum number of paths whose terminal figures are stored exactly, and maximum number of paths times months of a fan
 * that is stored exactly.
 */
const EXACT_PATHS_MAX = 1_000_000;
const EXACT_CELLS_MAX = 24_000_000;
/** Largest number of months of a fan. */
const FAN_MONTHS_MAX = 61;

/** Writes the growth factors of a portfolio for paths `first` to `first + count - 1`: path by path, month by month. */
export type DrawGrowth = (out: Float64Array, first: number, count: number) => void;

/** A goal: wealth of at least `amount` at the end of `month`. */
export type Goal = { name: string; month: number; amount: number; isReal: boolean };

/** Everything from which paths are simulated. It does not depend on the division of the paths. */
export type SimulationSetup = {
  paths: number;
  horizon: number;
  /** Whether paths 2j and 2j + 1 are an antithetic pair. */
  antithetic: boolean;
  draw: DrawGrowth;
  plan: WealthPlan;
  /** Amounts of goals are nominal. */
  goals: readonly Goal[];
  /** Months of the fan, ascending, ending with the horizon. */
  fanMonths: readonly number[];
  /**
   * Whether the wealth by month (`fan`) and the terminal figures (`figures`) of the paths are stored exactly.
   * Otherwise they are counted in buckets.
   */
  exact: { fan: boolean; figures: boolean };
  /** Sum of the initial wealth and of all flows. */
  invested: number;
};

/**
 * Returns the months of the fan: every month up to 61 months, otherwise 61 months at equal distances, rounded up. The
 * last is the horizon. Example: for a horizon of 122 the months are 2, 4, ..., 122.
 */
export function fanMonthsOf(horizon: number): number[] {
  const count = Math.min(horizon, FAN_MONTHS_MAX);
  return Array.from({ length: count }, (_, at) => Math.ceil(((at + 1) * horizon) / count));
}

/** Returns which figures of a simulation are stored exactly. */
export function exactOf(paths: number, fanMonths: number): SimulationSetup['exact'] {
  return { fan: paths * fanMonths <= EXACT_CELLS_MAX, figures: paths <= EXACT_PATHS_MAX };
}

/**
 * Returns the index of each month among the recorded months; -1 for a month that is not recorded. The recorded months
 * are those of the fan, then those of the goals.
 */
export function slotsOf(horizon: number, fanMonths: readonly number[], goals: readonly Goal[]): Int32Array {
  const slots = new Int32Array(horizon).fill(-1);
  const recorded = [...new Set([...fanMonths, ...goals.map(({ month }) => month)])];
  for (const [place, month] of recorded.entries()) slots[month - 1] = place;
  return slots;
}
