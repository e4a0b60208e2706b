import type { Forecast } from '#lib/forecasting/methods/method.ts';
import { normalQuantile } from '#lib/numerics/normal-quantile.ts';
import type { IntervalFactors } from './learned-constants.ts';

/**
 * Methods whose standard errors are averaged, because the standard errors of a single method give intervals that are
 * too narrow.
 */
const INTERVAL_METHODS: ReadonlySet<string> = new Set(['theta', 'ets', 'arima']);
const INTERVAL_FALLBACK = 'naive';

/** The bounds of a level. `factor` applies above the points, and `lowerFactor` below. */
export type IntervalBounds = {
  level: number;
  factor: number;
  lowerFactor: number;
  lower: Float64Array;
  upper: Float64Array;
};

/** One side of the intervals. `widening` multiplies the standard errors at each step; null for 1. */
export type SideWidths = { factors: IntervalFactors; widening: Float64Array | null };

/**
 * Returns the intervals of a combined forecast, by level. The distance of a bound from the point is factor x z x the
 * mean standard error of the methods that `intervalSources` returns, and never decreases from one period to the next.
 * The intervals of the levels are nested because `multiplierAt` ensures that factor x z ascends on each side. `nonNegative` clips the bounds at 0. Source: Gardner, "A simple method of computing prediction
 * intervals for time series forecasts" (1988), on widening by observed errors. Half-widths are averaged because this
 * performed best in measurements.
 */
export function combinedIntervals(
  center: Float64Array,
  standardErrors: readonly Float64Array[],
  {
    levels,
    nonNegative,
    lower,
    upper,
  }: { levels: readonly number[]; nonNegative: boolean; lower: SideWidths; upper: SideWidths },
): IntervalBounds[] {
  const mean = meanWidth(standardErrors, center.length);
  const widthOf = ({ widening }: SideWidths) =>
    widening ? ascending(mean.map((value, step) => value * widening[step]!)) : mean;
  const bound = (side: number, { multiplier, width }: { multiplier: number; width: Float64Array }) =>
    center.map((point, step) => {
      const value = point + side * multiplier * width[step]!;
      return nonNegative ? Math.max(0, value) : value;
    });
  const [below, above] = [widthOf(lower), widthOf(upper)];
  return levels.map((level) => {
    const [low, high] = [multiplierAt(level, lower.factors), multiplierAt(level, upper.factors)];
    return {
      level,
      factor: high.factor,
      lowerFactor: low.factor,
      lower: bound(-1, { multiplier: low.multiplier, width: below }),
      upper: bound(1, { multiplier: high.multiplier, width: above }),
    };
  });
}

/**
 * Returns the mean of the methods' standard errors at each step, as a running maximum. Example: [[1, 3], [3, 0]] gives
 * [2, 2].
 */
export function meanWidth(standardErrors: readonly Float64Array[], horizon: number): Float64Array {
  const width = new Float64Array(horizon);
  for (let step = 0; step < horizon; step += 1) {
    let total = 0;
    for (const each of standardErrors) total += each[step]!;
    const mean = standardErrors.length > 0 ? total / standardErrors.length : 0;
    width[step] = step > 0 ? Math.max(mean, width[step - 1]!) : mean;
  }
  return width;
}

/** Returns the running maximum. Example: [2, 1, 3] gives [2, 2, 3]. */
export function ascending(values: Float64Array): Float64Array {
  let largest = -Infinity;
  return values.map((value) => (largest = Math.max(largest, value)));
}

/**
 * Returns the factor of a level, and the multiplier, which is factor x z. The multiplier times the mean standard error
 * is the distance of the bound from the point. Between two learned levels, the multiplier is linear in z. Outside the learned
 * levels, the factor of the nearest level is used.
 */
export function multiplierAt(
  level: number,
  factors: IntervalFactors,
): { factor: number; multiplier: number } {
  const z = zOf(level);
  const known = factors.map((each) => ({ z: zOf(each.level), factor: each.factor }));
  const above = known.findIndex((each) => each.z >= z);
  const factor =
    above === 0
      ? known[0]!.factor
      : above < 0
        ? known.at(-1)!.factor
        : between(known[above - 1]!, known[above]!, z);
  return { factor, multiplier: factor * z };
}

/** Returns the half-width of a central interval of the standard normal distribution. Example: 1.96 at 95. */
function zOf(level: number): number {
  return normalQuantile(0.5 + level / 200);
}

/** Returns the factor at z between two learned levels, so that factor x z is linear in z. */
function between(low: { z: number; factor: number }, high: { z: number; factor: number }, z: number): number {
  const share = (z - low.z) / (high.z - low.z);
  return (low.factor * low.z + share * (high.factor * high.z - low.factor * low.z)) / z;
}

/**
 * Returns the methods whose standard errors determine the intervals. If none of these methods is present, returns the
 * fallback.
 */
export function intervalSources<C extends { entry: { key: string } }>(withErrors: readonly C[]): C[] {
  const wanted = withErrors.filter(({ entry }) => INTERVAL_METHODS.has(entry.key));
  return wanted.length > 0 ? wanted : withErrors.filter(({ entry }) => entry.key === INTERVAL_FALLBACK);
}

/** Whether a forecast has standard errors that are all finite and not negative. */
export function hasFiniteErrors(forecast: Forecast | null): boolean {
  return forecast?.standardErrors?.every((error) => error >= 0 && error < Infinity) ?? false;
}
