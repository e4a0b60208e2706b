import { combineAtOrigins } from './combine.ts';
import type { ForecastOptions, ObservedSeries } from './forecast-series.types.ts';
import { weighMethods } from './weigh-methods.ts';

/**
 * The errors of a forecast from an origin: `before` is the number of observed periods after the origin, and `errors`
 * holds the actual values less the forecast ones, by step.
 */
export type OriginErrors = { before: number; errors: Float64Array };

/**
 * Returns the errors of the forecast of a series at the origins of its backtest, latest first, in the unit of the
 * prepared series: after the treatment of outliers and the adjustment for the calendar. Throws a `RangeError` for a
 * series that cannot be forecast.
 */
export function backtestErrors(series: ObservedSeries, options: ForecastOptions): OriginErrors[] {
  const weighed = weighMethods(series, options);
  if (!weighed.ok) throw new RangeError(`the series cannot be forecast: ${weighed.refusal.code}`);
  const { prepared, candidates } = weighed;
  const points = combineAtOrigins(prepared.origins, candidates);
  return prepared.origins.map(({ observations, actual }, at) => ({
    before: prepared.series.values.length - observations,
    errors: actual.map((value, step) => value - points[at]![step]!),
  }));
}
