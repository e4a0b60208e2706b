import type { ForecastMethod, Series } from '#lib/numerics/forecasting/method.ts';
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

/** The backtest error with a treatment has to be below this share of the error without. */
const IMPROVED_BELOW = 0.95;

type Found = { values: Float64Array; outliers: readonly number[]; shift: LevelShift | null };
type Repair = (values: Float64Array, period: number) => Found;

/**
 * Takes out a level shift, outliers, or both, whichever makes the backtest of a few methods best, and nothing where it
 * does not improve by 5 %. At each origin they are looked for in what was known there; what came then is compared as
 * it was observed. What was found and left is told too; `start` is added to the positions that are told.
 */
export function treatDisturbances(
  series: Series,
  origins: readonly OriginData[],
  { panel, start }: { panel: readonly ForecastMethod[]; start: number },
): Treated {
  const outliers = repairOutliers(series.values, series.period);
  const shift = repairShift(series.values, series.period);
  const both = repairBoth(series.values, series.period);
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
  const best = tried.reduce((least, each) => (each.error < least.error ? each : least));
  if (!(best.error < IMPROVED_BELOW * asObserved)) {
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
    treatments: told(series.values, best.found, start),
  };
}

function repairOutliers(values: Float64Array, period: number): Found {
  const outliers = findOutliers(values, period);
  return { values: withoutOutliers(values, outliers, period), outliers, shift: null };
}

/** A shift that would take positive values below 0 is no shift of their level. */
function repairShift(values: Float64Array, period: number): Found {
  const shift = findLevelShift(values, period);
  const moved = shift ? withoutShift(values, shift) : values;
  const isSound = !values.every((value) => value > 0) || moved.every((value) => value > 0);
  return isSound ? { values: moved, outliers: [], shift } : { values, outliers: [], shift: null };
}

function repairBoth(values: Float64Array, period: number): Found {
  const level = repairShift(values, period);
  return { ...repairOutliers(level.values, period), shift: level.shift };
}

function repaired(origins: readonly OriginData[], repair: Repair): OriginData[] {
  return origins.map((origin) => {
    const { values } = repair(origin.known.values, origin.known.period);
    return { ...origin, known: { ...origin.known, values } };
  });
}

/** Mean over the methods and the origins; infinite where there is none of either. */
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

function told(observed: Float64Array, { values, outliers, shift }: Found, start: number): SeriesTreatment[] {
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
