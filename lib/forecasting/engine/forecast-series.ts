import { combineAtOrigins, combinePoints } from './combine.ts';
import { FORECAST_MODEL } from './forecast-models.ts';
import type { ForecastResult } from './forecast-result.schema.ts';
import type { ForecastOptions, ObservedSeries } from './forecast-series.types.ts';
import type { ForecastOutcome } from './forecast-result.schema.ts';
import type { IntervalBounds } from './intervals.ts';
import { intervalsOfRun, type RunIntervals } from './intervals-of-run.ts';
import { DEFAULT_LEVELS } from './limits.ts';
import { COMBINATION } from './method-catalogue.ts';
import { backtestTable, describeMethods } from './result-tables.ts';
import { weighMethods, type WeighedMethods } from './weigh-methods.ts';

/**
 * Forecasts a series with intervals, by combining methods weighted by their performance at rolling origins of the same
 * series. Pure and deterministic to the bit. The result is plain JSON.
 *
 * A series that cannot be forecast is refused with a code. Constant, tiny, all-zero and negative series are forecast.
 */
export function forecastSeries(series: ObservedSeries, options: ForecastOptions): ForecastOutcome {
  const weighed = weighMethods(series, options);
  if (!weighed.ok) return weighed;
  return { ok: true, result: resultOf(weighed, { series, options }) };
}

function resultOf(
  { prepared, candidates, weights }: WeighedMethods,
  { series, options }: { series: ObservedSeries; options: ForecastOptions },
): ForecastResult {
  const { horizon, method = COMBINATION, nonNegative = false, model = FORECAST_MODEL } = options;
  const levels = [...new Set(options.levels ?? DEFAULT_LEVELS)].sort((a, b) => a - b);
  const clipped = (point: Float64Array) => (nonNegative ? point.map((value) => Math.max(0, value)) : point);
  const combined = combinePoints(candidates, horizon);
  const atOrigins = combineAtOrigins(prepared.origins, candidates);
  const run = { prepared, candidates, weights, frequency: series.frequency, model };
  const { sources, widening, intervals, intervalsAtOrigins } = intervalsOfRun(
    run,
    { point: combined, atOrigins },
    { levels, nonNegative },
  );
  const tested = atOrigins.map((point, at) => ({
    point: clipped(point),
    intervals: intervalsAtOrigins[at]!,
  }));
  // The effect of a holiday can move a clipped value below 0 again.
  const restored = (values: Float64Array) => {
    const inUnit = prepared.restore(values);
    return nonNegative ? inUnit.map((value) => Math.max(0, value)) : inUnit;
  };
  const points = restored(clipped(combined));
  return {
    model,
    method,
    frequency: series.frequency,
    period: prepared.series.period,
    observations: prepared.series.values.length,
    horizon,
    points,
    intervals: intervals.map(({ level, lower, upper }) => ({
      level,
      lower: restored(lower),
      upper: restored(upper),
    })),
    interval_basis: intervalBasis(sources, widening, intervals),
    backtest: backtestTable(prepared, candidates, tested),
    methods: describeMethods(candidates, prepared),
    treatments: [...prepared.treatments, ...clippedTreatment(combined, nonNegative)],
  };
}

/** Describes the widths. The members of the lower side are absent if the intervals are symmetric. */
function intervalBasis(
  methods: string[],
  { lower, upper }: RunIntervals['widening'],
  intervals: readonly IntervalBounds[],
): ForecastResult['interval_basis'] {
  const isSymmetric = lower === upper;
  return {
    methods,
    factors: intervals.map(({ level, factor, lowerFactor }) => ({
      level,
      factor,
      ...(!isSymmetric && { lower_factor: lowerFactor }),
    })),
    ...(upper && { widening: [...upper] }),
    ...(!isSymmetric && lower && { lower_widening: [...lower] }),
  };
}

function clippedTreatment(points: Float64Array, nonNegative: boolean): ForecastResult['treatments'] {
  const negative = nonNegative ? points.filter((value) => value < 0).length : 0;
  return negative > 0 ? [{ kind: 'clipped', points: negative }] : [];
}
