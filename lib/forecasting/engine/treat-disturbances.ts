import type { ForecastMethod, Series } from '#lib/forecasting/methods/method.ts';
import { backtest, errorsByOrigin, type OriginData } from './backtest.ts';
import {
  findLevelShift,
  findOutliers,
  withoutOutliers,
  withoutShift,
  type LevelShift,
} from './disturbances.ts';
import type { SeriesTreatment } from './forecast-result.schema.ts';

export type Treated = { series: Series; origins: readonly OriginData[]; treatments: SeriesTreatment[] };

/**
 * Outliers are replaced only if the backtest error after the replacement, divided by the error before the replacement,
 * is below this bound.
 */
const OUTLIERS_IMPROVED_BELOW = 0.95;
/**
 * A level shift is removed only if the backtest error after the removal, divided by the error before the removal, is
 * below this bound. The bound is stricter than for outliers, because the removal moves all earlier values, and smaller
 * improvements made forecasts worse in measurements.
 */
const SHIFT_IMPROVED_BELOW = 0.8;

type Found = { values: Float64Array; outliers: readonly number[]; shift: LevelShift | null };
/** A function that removes disturbances. The last `tail` values stay unchanged. */
type Repair = (values: Float64Array, options: { period: number; tail: number }) => Found;

/**
 * Removes a level shift, outliers, or both, whichever gives the best backtest of a few methods. The backtest must
 * improve by 5 %, or by 20 % if a shift is removed. Otherwise nothing changes. At each origin, the disturbances are
 * found in the values known at this origin, and the forecasts from this origin are compared with the values as
 * observed. Disturbances within the last horizon are not removed, because no backtest can distinguish a single outlier
 * there from a new level. Disturbances that were found but not treated are reported. `start` is added to the reported
 * positions.
 */
export function treatDisturbances(
  series: Series,
  origins: readonly OriginData[],
  { panel, start }: { panel: readonly ForecastMethod[]; start: number },
): Treated {
  const options = { period: series.period, tail: origins[0]?.horizon ?? series.values.length };
  const outliers = repairOutliers(series.values, options);
  const shift = repairShift(series.values, options);
  const both = repairBoth(series.values, options);
  const repairs: { repair: Repair; found: Found }[] = [];
  if (shift.shift) repairs.push({ repair: repairShift, found: shift });
  if (outliers.outliers.length > 0) repairs.push({ repair: repairOutliers, found: outliers });
  if (shift.shift && both.outliers.length > 0) repairs.push({ repair: repairBoth, found: both });
  if (repairs.length === 0) return { series, origins, treatments: [] };

  const asObserved = panelError(origins, panel);
  const tried = repairs.map((each) => ({
    ...each,
    error: panelError(repaired(origins, each.repair), panel),
  }));
  const best = tried.reduce((min, each) => (each.error < min.error ? each : min));
  const needed = best.found.shift ? SHIFT_IMPROVED_BELOW : OUTLIERS_IMPROVED_BELOW;
  if (!(best.error < needed * asObserved)) {
    const untreated = {
      kind: 'untreated' as const,
      outliers: outliers.outliers.map((at) => at + start),
      level_shift: shift.shift ? shift.shift.position + start : null,
    };
    return { series, origins, treatments: [untreated] };
  }
  return {
    series: { ...series, values: best.found.values },
    origins: repaired(origins, best.repair),
    treatments: treatmentsOf(series.values, best.found, start),
  };
}

const repairOutliers: Repair = (values, { period, tail }) => {
  const outliers = findOutliers(values, period).filter((at) => at < values.length - tail);
  return { values: withoutOutliers(values, outliers, period), outliers, shift: null };
};

/** Removes a level shift, unless all values are positive and the removal would move a value to 0 or below. */
const repairShift: Repair = (values, { period, tail }) => {
  const found = findLevelShift(values, period);
  const shift = found && found.position < values.length - tail ? found : null;
  const moved = shift ? withoutShift(values, shift) : values;
  const isSound = !values.every((value) => value > 0) || moved.every((value) => value > 0);
  return isSound ? { values: moved, outliers: [], shift } : { values, outliers: [], shift: null };
};

const repairBoth: Repair = (values, options) => {
  const level = repairShift(values, options);
  return { ...repairOutliers(level.values, options), shift: level.shift };
};

function repaired(origins: readonly OriginData[], repair: Repair): OriginData[] {
  return origins.map((origin) => {
    const { values } = repair(origin.known.values, { period: origin.known.period, tail: origin.horizon });
    return { ...origin, known: { ...origin.known, values } };
  });
}

/**
 * Returns the mean error over the methods and the origins; infinity if any error cannot be computed, or if there are no
 * errors.
 */
function panelError(origins: readonly OriginData[], panel: readonly ForecastMethod[]): number {
  let [total, count] = [0, 0];
  for (const method of panel) {
    if (!origins.every(({ known }) => method.serves(known))) continue;
    const form = origins[0] ? method.choose(origins[0].known) : null;
    if (!form) continue;
    for (const error of errorsByOrigin(origins, backtest(method, form, origins))) {
      if (error === null) return Infinity;
      total += error;
      count += 1;
    }
  }
  return count > 0 ? total / count : Infinity;
}

function treatmentsOf(
  observed: Float64Array,
  { values, outliers, shift }: Found,
  start: number,
): SeriesTreatment[] {
  const moved = (at: number) => (shift && at < shift.position ? shift.shift : 0);
  const treatments: SeriesTreatment[] = [];
  if (shift) treatments.push({ kind: 'level_shift', position: shift.position + start, shift: shift.shift });
  for (const at of outliers) {
    const replaced = values[at]! - moved(at);
    treatments.push({
      kind: 'outlier',
      position: at + start,
      observed: observed[at]!,
      replaced_by: replaced,
    });
  }
  return treatments;
}
