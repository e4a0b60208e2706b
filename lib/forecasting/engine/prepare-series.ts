import type { Series } from '#lib/forecasting/methods/method.ts';
import type { OriginData } from './backtest.ts';
import { calendarAdjustment } from './calendar-adjustment.ts';
import type { ObservedRange } from './check-request.ts';
import { fillGaps } from './fill-gaps.ts';
import type { SeriesTreatment } from './forecast-result.schema.ts';
import {
  adjustedBy,
  chooseHolidays,
  effectsAt,
  type DailySeries,
  type HolidayTest,
} from './choose-holidays.ts';
import { withEffects, type HolidayEffects } from './holiday-effects.ts';
import type { ForecastOptions, HolidayDays, ObservedSeries } from './forecast-series.types.ts';
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
   * Reverses the calendar adjustment of forecast values, or adds the effects of holidays. Without either, returns the
   * values unchanged.
   */
  restore(values: Float64Array): number[];
  /** Does the same for standard errors. */
  restoreErrors(errors: Float64Array): number[];
};

/** Fills the gaps of a series, applies the requested adjustments, and applies treatments that improve the backtest. */
export function prepareSeries(
  given: ObservedSeries,
  observed: ObservedRange,
  { horizon, calendar, holidays }: ForecastOptions,
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

  const isMissing = new Set(filled);
  const special = holidays && {
    calendars: holidays.calendars,
    days: holidays.days.slice(observed.start, observed.start + values.length + horizon),
  };
  const daily = special && {
    series: { values, period },
    days: special.days,
    isKnown: (at: number) => !isMissing.has(at),
  };
  const choice = daily && chooseHolidays(daily, { panel: treatmentPanel, horizon });
  if (choice) treatments.push(holidayTreatment(special!, choice));
  const effects = choice?.effects ?? null;
  const plain = originData({ values, period }, horizon);
  const adjusted = effects
    ? { values: adjustedBy(effects, daily!, values.length), origins: adjustedOrigins(plain, daily!) }
    : { values, origins: plain };

  const treated = treatDisturbances({ values: adjusted.values, period }, adjusted.origins, {
    panel: treatmentPanel,
    start: observed.start,
  });
  const ahead = special?.days.slice(values.length) ?? [];
  const restore = (points: Float64Array) => {
    if (effects) return [...withEffects(points, ahead, effects)];
    return [...(adjustment ? points.map(adjustment.restore) : points)];
  };
  return {
    series: treated.series,
    origins: treated.origins,
    treatments: [...treatments, ...treated.treatments],
    restore,
    restoreErrors: (errors) => (effects?.scale === 'absolute' ? [...errors] : restore(errors)),
  };
}

/**
 * Removes the effects of holidays from the values known at each origin, and from the values that followed. At each
 * origin, the effects are those estimated from the known values.
 */
function adjustedOrigins(origins: readonly OriginData[], daily: DailySeries): OriginData[] {
  return origins.map((origin) => {
    const { observations, horizon, known } = origin;
    const effects = effectsAt(daily, observations);
    if (!effects) return origin;
    const later = adjustedBy(effects, daily, observations + horizon).slice(observations);
    return {
      ...origin,
      known: { ...known, values: adjustedBy(effects, daily, observations) },
      actual: later,
    };
  });
}

function holidayTreatment(
  { calendars }: HolidayDays,
  { effects, test }: { effects: HolidayEffects | null; test: HolidayTest },
): SeriesTreatment {
  return {
    kind: 'holidays',
    calendars: [...calendars],
    scale: effects?.scale ?? null,
    effects: effects ? effects.effects.map(({ group, ...rest }) => ({ day: group, ...rest })) : [],
    test,
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
