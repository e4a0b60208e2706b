import { adjustSeason, chooseSeason } from '#lib/forecasting/methods/seasonal-adjustment.ts';
import { quantileSorted } from '#lib/numerics/quantile.ts';
import { alongSeason } from './fill-gaps.ts';

/**
 * Disturbances of a series.
 * - **Outlier**: a single value far from its neighbours in the seasonally adjusted series.
 * - **Level shift**: a value from which on all values are higher (or lower) by about the same amount.
 */
export type Disturbances = { outliers: number[]; shift: LevelShift | null };
export type LevelShift = { position: number; shift: number };

/** Number of values on either side that form the neighbourhood of a value. */
const NEIGHBOURS = 3;
/** Smallest distance from the neighbourhood for a value to be an outlier, in robust standard deviations. */
const OUTLIER_BEYOND = 6;
/** Maximum share of outliers among the values. If the share is larger, no value counts as an outlier. */
const OUTLIER_SHARE_MAX = 0.05;
/** Smallest change of level that counts as a shift, in robust standard deviations of the usual changes. */
const SHIFT_BEYOND = 8;
/** Minimum number of values on either side of a shift. */
const SIDE_MIN = 6;
const MAD_TO_SIGMA = 1.4826;

/**
 * Finds outliers with the Hampel rule on the seasonally adjusted series: values whose distance from the median of the
 * three values on either side exceeds six robust standard deviations of all these distances. Returns no outliers if
 * more than 5 % of the values are that far away, if half of the distances are 0, or if there are fewer than 12 values.
 * Source: Hampel, "The influence curve and its role in robust estimation" (1974); Pearson, "Outliers in process
 * modeling and identification" (2002), section III.
 */
export function findOutliers(values: Float64Array, period: number): number[] {
  if (values.length < 2 * SIDE_MIN) return [];
  const { values: level } = adjustSeason({ values, period }, chooseSeason({ values, period }));
  const distances = level.map((value, at) => value - neighbourhoodMedian(level, at));
  const sigma = MAD_TO_SIGMA * medianOf(distances.map(Math.abs));
  if (!(sigma > 0)) return [];
  const far = [...distances.keys()].filter((at) => Math.abs(distances[at]!) > OUTLIER_BEYOND * sigma);
  return far.length <= OUTLIER_SHARE_MAX * values.length ? far : [];
}

/** Replaces the values at `positions` by interpolating between their neighbours. */
export function withoutOutliers(
  values: Float64Array,
  positions: readonly number[],
  period: number,
): Float64Array {
  return positions.length > 0 ? alongSeason(values, positions, period) : values;
}

/**
 * Finds the largest level shift. Compares medians of the seasonally adjusted series over windows before and after each
 * value. A shift must be eight robust standard deviations beyond the usual change, so a trend is not a shift. Returns
 * null if there is no shift, or if the series is shorter than three windows, which are 18 to 36 values. Source: the
 * two-window rule of Basseville and Nikiforov, "Detection of Abrupt Changes" (1993), section 2.2, with medians instead
 * of means.
 */
export function findLevelShift(values: Float64Array, period: number): LevelShift | null {
  const side = Math.max(SIDE_MIN, Math.min(period, 12));
  if (values.length < 3 * side) return null;
  const { values: level } = adjustSeason({ values, period }, chooseSeason({ values, period }));
  const changes = new Float64Array(values.length - 2 * side + 1);
  for (let at = 0; at < changes.length; at += 1) {
    const middle = at + side;
    changes[at] = medianOf(level.slice(middle, middle + side)) - medianOf(level.slice(at, middle));
  }
  const usual = medianOf(changes);
  const sigma = MAD_TO_SIGMA * medianOf(changes.map((change) => Math.abs(change - usual)));
  let best = 0;
  for (let at = 1; at < changes.length; at += 1) {
    if (jumpAt(level, at + side, changes[at]! - usual) > jumpAt(level, best + side, changes[best]! - usual))
      best = at;
  }
  const shift = changes[best]! - usual;
  return sigma > 0 && Math.abs(shift) > SHIFT_BEYOND * sigma ? { position: best + side, shift } : null;
}

/** Moves the values before a shift to the level after the shift. */
export function withoutShift(values: Float64Array, { position, shift }: LevelShift): Float64Array {
  return values.map((value, at) => (at < position ? value + shift : value));
}

/**
 * Returns the score of a position as the first value after a shift: the size of the change of level, plus the size of
 * the step to this value, up to the size of the change, if the step has the same direction. Neighbouring positions have
 * similar changes of level, so the step determines which position has the highest score.
 */
function jumpAt(level: Float64Array, position: number, change: number): number {
  const step = level[position]! - level[position - 1]!;
  return Math.abs(change) + (step * change > 0 ? Math.min(Math.abs(step), Math.abs(change)) : 0);
}

function neighbourhoodMedian(values: Float64Array, at: number): number {
  const from = Math.max(0, Math.min(at - NEIGHBOURS, values.length - 2 * NEIGHBOURS - 1));
  const around = values.slice(from, from + 2 * NEIGHBOURS + 1);
  return medianOf(around.filter((_, index) => from + index !== at));
}

function medianOf(values: Float64Array): number {
  return quantileSorted(Float64Array.from(values).sort(), 0.5);
}
