import type { ForecastOptions, ForecastRefusal, ObservedSeries } from './forecast-series.types.ts';
import {
  GAP_SHARE_MAX,
  HORIZON_MAX,
  LEVELS_MAX,
  OBSERVATIONS_BEYOND_HORIZON,
  OBSERVATIONS_MIN,
  OBSERVATIONS_MAX,
  VALUE_MAX,
} from './limits.ts';

/**
 * The part of a series from the first observed period to the last. `start` is the index of the first observed value in
 * the given series.
 */
export type ObservedRange = { start: number; values: readonly (number | null)[] };

export type Checked = { ok: true; observed: ObservedRange } | { ok: false; refusal: ForecastRefusal };

/**
 * Checks a request. Returns the first reason why the series cannot be forecast, or the part of the series between its
 * first and its last observation.
 */
export function checkRequest(series: ObservedSeries, options: ForecastOptions): Checked {
  const refusal = optionRefusal(series, options) ?? valueRefusal(series.values);
  if (refusal) return { ok: false, refusal };
  const observed = observedRange(series.values);
  const late = historyRefusal(observed.values, options.horizon);
  return late ? { ok: false, refusal: late } : { ok: true, observed };
}

/**
 * Returns the number of observed values that a horizon needs. Example: 8 for a horizon of 3, 22 for a horizon of 18.
 */
export function observationsNeeded(horizon: number): number {
  return Math.max(OBSERVATIONS_MIN, horizon + OBSERVATIONS_BEYOND_HORIZON);
}

function optionRefusal(series: ObservedSeries, options: ForecastOptions): ForecastRefusal | undefined {
  const { horizon, levels = [], calendar, holidays } = options;
  if (!Number.isInteger(horizon) || horizon < 1 || horizon > HORIZON_MAX) {
    return { code: 'horizon_out_of_bounds', horizon, max: HORIZON_MAX };
  }
  if (levels.length > LEVELS_MAX) return { code: 'too_many_levels', levels: levels.length, max: LEVELS_MAX };
  const level = levels.find((each) => !(each > 0 && each < 100));
  if (level !== undefined) return { code: 'level_out_of_bounds', level };
  if (holidays && series.frequency !== 'daily') {
    return { code: 'holidays_not_applicable', reason: 'not_daily' };
  }
  if (holidays && holidays.days.length !== series.values.length + horizon) {
    return { code: 'holidays_not_applicable', reason: 'wrong_length' };
  }
  if (!calendar) return undefined;
  if (series.frequency !== 'monthly') return { code: 'calendar_not_applicable', reason: 'not_monthly' };
  if (calendar.days.length !== series.values.length + horizon) {
    return { code: 'calendar_not_applicable', reason: 'wrong_length' };
  }
  const hasDays = calendar.days.every((days) => days > 0 && Number.isFinite(days));
  return hasDays ? undefined : { code: 'calendar_not_applicable', reason: 'no_days' };
}

function valueRefusal(values: readonly (number | null)[]): ForecastRefusal | undefined {
  const at = values.findIndex((value) => value !== null && !(Math.abs(value) <= VALUE_MAX));
  return at < 0 ? undefined : { code: 'non_finite_value', at };
}

function observedRange(values: readonly (number | null)[]): ObservedRange {
  const start = values.findIndex((value) => value !== null);
  if (start < 0) return { start: 0, values: [] };
  const end = values.findLastIndex((value) => value !== null);
  return { start, values: values.slice(start, end + 1) };
}

function historyRefusal(values: readonly (number | null)[], horizon: number): ForecastRefusal | undefined {
  if (values.length > OBSERVATIONS_MAX) {
    return { code: 'history_too_long', observed: values.length, max: OBSERVATIONS_MAX };
  }
  const missing = values.filter((value) => value === null).length;
  const observed = values.length - missing;
  const needed = observationsNeeded(horizon);
  if (observed < needed) return { code: 'insufficient_history', observed, needed };
  const max = Math.floor(values.length * GAP_SHARE_MAX);
  if (missing > max) return { code: 'too_many_gaps', missing, periods: values.length, max };
  return undefined;
}
