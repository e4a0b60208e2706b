import type { ForecastModel } from './forecast-models.ts';
import type { SpecialDays } from './holiday-effects.ts';

/** Observation frequencies of a metric. */
export const frequencies = ['yearly', 'quarterly', 'monthly', 'weekly', 'daily', 'hourly'] as const;
export type Frequency = (typeof frequencies)[number];

/**
 * The values of a metric by period, oldest first, in the unit of the metric. A missing value is null. Missing values
 * before the first and after the last value may be left out.
 */
export type ObservedSeries = { frequency: Frequency; values: readonly (number | null)[] };

/**
 * The calendar of a request: the number of relevant days in each period of the series, then in each period of the
 * horizon.
 */
export type CalendarDays = { name: string; days: readonly number[] };

/**
 * The holidays of a request: the names of the calendars, and the kind of each day of the series, then of the horizon.
 */
export type HolidayDays = { calendars: readonly string[]; days: SpecialDays };

export type ForecastOptions = {
  /** The model, which determines the pool, the weights and the intervals. Default: the model of new forecasts. */
  model?: ForecastModel;
  /** Number of periods to forecast after the last observed period. */
  horizon: number;
  /** Key of the method to use. Default: `combination`. */
  method?: string;
  /** Interval levels in per cent, above 0 and below 100. Default: 50, 80, 95. */
  levels?: readonly number[];
  /** Whether the metric cannot be negative. Points and bounds are then clipped at 0. Default: false. */
  nonNegative?: boolean;
  /** Calendar that adjusts a monthly series for the days of its months. Default: none. */
  calendar?: CalendarDays;
  /** Holidays whose effects a daily forecast can contain. Default: none. */
  holidays?: HolidayDays;
};

/**
 * Reason why a series is not forecast. If the code is about a limit, the reason also has the number found and the
 * number needed.
 */
export type ForecastRefusal =
  | { code: 'insufficient_history'; observed: number; needed: number }
  | { code: 'history_too_long'; observed: number; max: number }
  | { code: 'horizon_out_of_bounds'; horizon: number; max: number }
  | { code: 'too_many_gaps'; missing: number; periods: number; max: number }
  /** `at` is the index of the first non-finite value in the series. */
  | { code: 'non_finite_value'; at: number }
  | { code: 'unknown_method'; method: string }
  /** The method does not support this series, for example because it has negative values or no season. */
  | { code: 'method_not_applicable'; method: string }
  | { code: 'level_out_of_bounds'; level: number }
  | { code: 'too_many_levels'; levels: number; max: number }
  | { code: 'calendar_not_applicable'; reason: 'not_monthly' | 'wrong_length' | 'no_days' }
  | { code: 'holidays_not_applicable'; reason: 'not_daily' | 'wrong_length' };
