import type { ForecastMethod, Series } from '#lib/forecasting/methods/method.ts';
import { isFiniteForecast } from './backtest.ts';
import { meanAbsoluteError } from './error-metrics.ts';
import {
  estimateHolidayEffects,
  usualValues,
  withEffects,
  withoutEffects,
  type HolidayEffects,
  type SpecialDays,
} from './holiday-effects.ts';

/** The error of forecasts with the effects divided by the error without the effects must be below this bound. */
const IMPROVED_BELOW = 0.95;
/** Minimum and maximum number of origins of the test. */
const ORIGINS = { min: 3, max: 8 };
/** Maximum number of days that are forecast from each origin. */
const TEST_DAYS_MAX = 14;

/** The test of the effects: mean absolute errors over all origins and methods, in the unit of the series. */
export type HolidayTest = { origins: number; error_without: number | null; error_with: number | null };

export type HolidayChoice = { effects: HolidayEffects | null; test: HolidayTest };

/** A daily series, the kinds of its days, and whether the value of a day was observed. */
export type DailySeries = { series: Series; days: SpecialDays; isKnown(at: number): boolean };

/**
 * Estimates the effects of holidays, and returns the effects only if they improve forecasts of this series. The test
 * has an origin before each of the last eight runs of special days whose earlier days allow an estimate. From each
 * origin, a few methods forecast up to 14 days, with and without the effects estimated from the days before the origin.
 * The forecasts are compared with the values as observed. The error must decrease by 5 % in total and at more than half
 * of the origins, of which there must be at least three. Otherwise `effects` is null.
 */
export function chooseHolidays(
  daily: DailySeries,
  { panel, horizon }: { panel: readonly ForecastMethod[]; horizon: number },
): HolidayChoice {
  const { series, days } = daily;
  const tested: { without: number; with: number }[] = [];
  for (const start of runStarts(days, series.values.length).reverse()) {
    if (tested.length === ORIGINS.max) break;
    const effects = effectsAt(daily, start);
    if (!effects) break;
    const errors = errorsFrom(daily, { start, effects, panel, horizon: Math.min(horizon, TEST_DAYS_MAX) });
    if (errors) tested.push(errors);
  }
  const sum = (of: 'with' | 'without') => tested.reduce((total, each) => total + each[of], 0) / tested.length;
  const test = {
    origins: tested.length,
    error_without: tested.length > 0 ? sum('without') : null,
    error_with: tested.length > 0 ? sum('with') : null,
  };
  const better = tested.filter((each) => each.with < each.without).length;
  const isBetter =
    tested.length >= ORIGINS.min &&
    2 * better > tested.length &&
    sum('with') < IMPROVED_BELOW * sum('without');
  return { effects: isBetter ? effectsAt(daily, series.values.length) : null, test };
}

/** Estimates the effects from the first `count` days of a series. */
export function effectsAt({ series, days, isKnown }: DailySeries, count: number): HolidayEffects | null {
  const known = series.values.slice(0, count);
  return estimateHolidayEffects(known, days.slice(0, count), { period: series.period, isKnown });
}

/** Returns the first `count` days of a series without the effects. */
export function adjustedBy(effects: HolidayEffects, { series, days, isKnown }: DailySeries, count: number) {
  const values = series.values.slice(0, count);
  const usual = usualValues(values, days, { period: series.period, isKnown });
  return withoutEffects(values, days, { effects, usual });
}

/** Returns the position of the first day of each run of special days, after the first day of the series. */
function runStarts(days: SpecialDays, count: number): number[] {
  const starts: number[] = [];
  for (let at = 1; at < count; at += 1) if (days[at] && !days[at - 1]) starts.push(at);
  return starts;
}

type Test = { start: number; effects: HolidayEffects; panel: readonly ForecastMethod[]; horizon: number };

/** Returns the mean errors over the methods from one origin; null if no method has forecasts from it. */
function errorsFrom(
  daily: DailySeries,
  { start, effects, panel, horizon }: Test,
): { without: number; with: number } | null {
  const { series, days } = daily;
  const actual = series.values.slice(start, start + horizon);
  const future = days.slice(start, start + actual.length);
  const plain = { ...series, values: series.values.slice(0, start) };
  const adjusted = { ...series, values: adjustedBy(effects, daily, start) };
  const errors = { without: 0, with: 0 };
  let methods = 0;
  for (const method of panel) {
    if (!method.serves(plain) || !method.serves(adjusted)) continue;
    const forecast = (known: Series) => method.fit(known, method.choose(known)).forecast(actual.length);
    const [before, after] = [forecast(plain), forecast(adjusted)];
    if (!isFiniteForecast(before) || !isFiniteForecast(after)) continue;
    errors.without += meanAbsoluteError(actual, before.point);
    errors.with += meanAbsoluteError(actual, withEffects(after.point, future, effects));
    methods += 1;
  }
  return methods > 0 ? { without: errors.without / methods, with: errors.with / methods } : null;
}
