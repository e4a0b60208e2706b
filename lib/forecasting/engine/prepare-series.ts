import type { Series } from '#lib/forecasting/methods/method.ts';
import type { OriginData } from './backtest.ts';
import { calendarAdjustment } from './calendar-adjustment.ts';
import type { ObservedRange } from './check-request.ts';
import { fillGaps } from './fill-gaps.ts';
import type { SeriesTreatment } from './forecast-result.schema.ts';
import type { ForecastOptions, ObservedSeries } from './forecast-series.types.ts';
import { periodOf } from './frequency.ts';
import { treatmentPanel } from './method-pool.ts';
import { rollingOrigins } from './origins.ts';
import { treatDisturbances } from './treat-disturbances.ts';

/** A series prepared for the methods, with its backtest and its treatments. */
export type Prepared = {
  series: Series;
  origins: readonly OriginData[];
  treatments: SeriesTreatment[];
  /**
   * Reverses the calendar adjustment of forecast values. Without an adjustment, returns the values unchanged.
   */
  restore(values: Float64Array): number[];
};

/** Fills the gaps of a series, applies the requested adjustments, and applies treatments that improve the backtest. */
export function prepareSeries(
  given: ObservedSeries,
  observed: ObservedRange,
  { horizon, calendar }: ForecastOptions,
): Prepared {
  const period = periodOf[given.frequency];
  const treatments: SeriesTreatment[] = [];
  const trailing = given.values.length - observed.start - observed.values.length;
  if (observed.start + trailing > 0) treatments.push({ kind: 'trimmed', leading: observed.start, trailing });

  const days = calendar?.days.slice(observed.start);
  const adjustment = days && calendarAdjustment(days, observed.values.length);
  const level = adjustment ? observed.values.map(adjustment.adjust) : observed.values;
  const { values, filled } = fillGaps(level, period);
  if (adjustment) treatments.push({ kind: 'calendar', calendar: calendar!.name, days_mean: adjustment.mean });
  if (filled.length > 0)
    treatments.push({ kind: 'interpolated', positions: filled.map((at) => at + observed.start) });

  const treated = treatDisturbances({ values, period }, originData({ values, period }, horizon), {
    panel: treatmentPanel,
    start: observed.start,
  });
  return {
    series: treated.series,
    origins: treated.origins,
    treatments: [...treatments, ...treated.treatments],
    restore: (points) => [...(adjustment ? points.map(adjustment.restore) : points)],
  };
}

function originData(series: Series, horizon: number): OriginData[] {
  return rollingOrigins(series.values.length, horizon).map((origin) => {
    const end = origin.observations + origin.horizon;
    return {
      ...origin,
      known: { ...series, values: series.values.slice(0, origin.observations) },
      actual: series.values.slice(origin.observations, end),
    };
  });
}
