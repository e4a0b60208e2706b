import type { Series } from '#lib/numerics/forecasting/method.ts';
import type { OriginData } from './backtest.ts';
import type { ObservedRange } from './check-request.ts';
import { fillGaps } from './fill-gaps.ts';
import type { SeriesTreatment } from './forecast-result.schema.ts';
import type { ForecastOptions, Frequency } from './forecast-series.types.ts';
import { periodOf } from './frequency.ts';
import { rollingOrigins } from './origins.ts';

/** A series as methods take it, its backtest, and what was done to it. */
export type Prepared = {
  series: Series;
  origins: readonly OriginData[];
  treatments: SeriesTreatment[];
  /** Takes values of the horizon back to the unit and the days of the metric. */
  restore(values: Float64Array): number[];
};

/** Makes a series without gaps, adjusted for what was asked and for what the backtest gains by. */
export function prepareSeries(
  frequency: Frequency,
  observed: ObservedRange,
  { horizon }: ForecastOptions,
): Prepared {
  const { values, filled } = fillGaps(observed.values);
  const series = { values, period: periodOf[frequency] };
  const origins = rollingOrigins(values.length, horizon).map((origin) => ({
    ...origin,
    known: { ...series, values: values.subarray(0, origin.observations) },
    actual: values.subarray(origin.observations, origin.observations + origin.horizon),
  }));
  return {
    series,
    origins,
    treatments: filled.length > 0 ? [{ kind: 'interpolated', positions: filled }] : [],
    restore: (points) => [...points],
  };
}
